import { knownString } from "../schema/KnownString.ts"

/** The states a pipe is known to take. */
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
 * The known ones are {@link pipeStates}.
 */
export const PipeState = knownString(pipeStates)
export type PipeState = typeof PipeState.Type
