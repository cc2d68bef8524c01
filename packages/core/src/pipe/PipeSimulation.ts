import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CallError } from "../error/CallError.ts"
import type { PipeNotFound } from "../error/NotFound.ts"
import type { PipeRecord, PipeChange } from "./lifecycle.ts"
import type { PipeState } from "./Pipe.ts"
import type { PipeAddress } from "../id/pipe.ts"

/**
 * The port to the simulation of pipes in a store, for tests: `/_admin` of `headgate-server` uses it. What it does is no change
 * of a caller: versions and `updatedAt` stay.
 *
 * @example
 * ```ts
 * import type { PipeAddress } from "@headgate/core"
 * import { PipeSimulation } from "@headgate/core/adapter"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // A pipe that has failed, to test what a program does then.
 * export const fail = (address: PipeAddress) =>
 *   PipeSimulation.use((simulation) => simulation.hold(address, "Failed", "the broker does not answer"))
 * export const layer = MemoryAdapter.layer()
 * ```
 */
export class PipeSimulation extends Context.Service<
  PipeSimulation,
  {
    /** Puts a pipe into a state, in which it stays until the next command. At most 4096 characters of `message` are kept. */
    readonly hold: (
      address: PipeAddress,
      state: PipeState,
      message?: string
    ) => Effect.Effect<void, PipeNotFound | CallError>
    /** Moves the time by which steps are due forward: steps of pipes and services that are under way come so much earlier. */
    readonly forward: (duration: Duration.Duration) => Effect.Effect<void, CallError>
  }
>()("@headgate/core/pipe/PipeSimulation") {}

/** The longest message of a pipe that failed, in UTF-16 code units. */
const maxPipeMessage = 4096

/**
 * What is kept of a message, which a source may have chosen: its beginning, as text that every store can search as JSON. Postgres reads
 * no JSON with NUL or with half of a character, which also a cut can leave.
 */
export const keptMessage = (message: string): string =>
  message
    .slice(0, maxPipeMessage)
    .replaceAll("\0", "\ufffd")
    .replaceAll(/\p{Cs}/gu, "\ufffd")

/**
 * Puts a pipe into a state, in which it stays until the next command. For tests: it is not a change of a caller.
 *
 * @example
 * ```ts
 * import { forwardSteps, pipeChanges, pipeLifecycle, type PipeRecord, type TransitionTime } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * // What a store holds after `hold` and after `forward`.
 * export const failed = (held: PipeRecord, start: TransitionTime) =>
 *   Result.getOrThrow(pipeChanges.hold("Failed", "the broker does not answer")(held, start))
 * export const later = (held: PipeRecord, now: number) => pipeLifecycle.advance(forwardSteps(held, 60_000), now)
 * ```
 */
export const holdChange =
  (state: PipeState, message?: string): PipeChange =>
  (record, { now }) =>
    Result.succeed({
      ...record,
      pipe: { ...record.pipe, state },
      progress: {
        since: now,
        steps: [],
        ...(message === undefined ? {} : { message: keptMessage(message) })
      }
    })

/** Brings the due times of a pipe forward. For tests. */
export const forwardSteps = (record: PipeRecord, millis: number): PipeRecord => {
  const { progress } = record
  if (progress === undefined) return record
  const steps = progress.steps.map((step) => ({ ...step, due: step.due - millis }))
  return { ...record, progress: { ...progress, steps } }
}
