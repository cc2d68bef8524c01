import { knownString } from "../schema/KnownString.ts"

/** The states a pipe is known to take. The contract (section 3) shows none: these are decided. */
export const pipeStates = [
  "Unknown",
  "Provisioning",
  "Running",
  "Degraded",
  "Stopping",
  "Stopped",
  "Failed",
  "Completed",
  "InternalError",
  "Setup",
  "Snapshot",
  "Paused",
  "Pausing",
  "Modifying",
  "Resync"
] as const

/**
 * The current state of a pipe: an open string, since the contract (section 3) does not show the set of its values.
 * The known ones are {@link pipeStates}: editors complete them, and a state that is new to us is read all the same.
 *
 * @example
 * ```ts
 * import type { PipeState } from "@headgate/core/pipe"
 *
 * const settled: ReadonlyArray<PipeState> = ["Running", "Stopped", "Paused", "Completed", "Failed"]
 * export const isSettled = (state: PipeState): boolean => settled.includes(state)
 * ```
 */
export const PipeState = knownString(pipeStates)
/** What {@link PipeState} decodes to. */
export type PipeState = typeof PipeState.Type
