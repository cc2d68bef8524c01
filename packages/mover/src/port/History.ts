import type { PipeId, PipeState } from "@headgate/core"
import type { HistorySpan } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LedgerError } from "../range/MoveError.ts"

/** What a mover says of a pipe that it has: the rest of the note is what the ledger says. */
export interface HistoryNote {
  readonly pipeId: PipeId
  /** Of the mover's {@link Owner}: the note is left out if another mover took the pipe. */
  readonly epoch: number
  readonly state: PipeState
  /** How many rows the source holds that are not read; a whole number. `undefined` if it did not say. */
  readonly lag: number | undefined
}

/**
 * The port to the history of pipes. What a pipe has delivered is read from the ledger when a note is written, as it is then: a note
 * holds what was delivered since the note before, whichever mover wrote that. Minutes in which nothing happened are not written: a
 * pipe that a mover has noted is its own until it notes the end, as long as the mover is alive.
 *
 * @example
 * ```ts
 * import { History, type HistoryNote } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * // Called each minute by a mover with the number that it had a minute ago.
 * export const write = Effect.fnUntraced(function* (last: number | undefined, notes: ReadonlyArray<HistoryNote>) {
 *   const history = yield* History
 *   const mover = yield* history.beat(last)
 *   yield* history.note(mover, notes, "last")
 *   return mover
 * })
 * ```
 */
export class History extends Context.Service<
  History,
  {
    /**
     * Says that a mover is alive, and returns its number: another one than the last if it had none, if it did not say so for some
     * minutes, or if the clock was set back. Then it notes all of its pipes, in "this" minute.
     */
    readonly beat: (last: number | undefined) => Effect.Effect<number, LedgerError>
    /**
     * Notes pipes of a mover: what they have delivered since their last notes counts for the last minute, or for this one if they were
     * noted in it. `this`: the mover begins to move them, or ends. The number of a mover is 0 when it ends. Returns the pipes that were
     * noted: not those that another mover has taken, or that are gone.
     */
    readonly note: (
      mover: number,
      notes: ReadonlyArray<HistoryNote>,
      minute: "this" | "last"
    ) => Effect.Effect<ReadonlySet<PipeId>, LedgerError>
    /**
     * Keeps the history small, a bounded part of it at a time: what is older than a day has a point in ten minutes, and what is older
     * than `days` is removed. What was delivered in a time stays the same.
     */
    readonly tidy: (days: number) => Effect.Effect<void, LedgerError>
    /** Removes all of it. What is delivered until the next note is in no history. */
    readonly clear: Effect.Effect<void, LedgerError>
    /** What touches `[from, to)`, in minutes since 1970; the oldest first, as far as the clock was not set back. */
    readonly read: (pipeId: PipeId, from: number, to: number) => Effect.Effect<ReadonlyArray<HistorySpan>, LedgerError>
  }
>()("@headgate/mover/History") {}
