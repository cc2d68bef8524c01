import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { LedgerError } from "../range/MoveError.ts"

/** What a deleted pipe has left in a source that could not be reached. */
export interface Cleanup {
  readonly pipeId: PipeId
  /** Which kind of source: who is asked to release it. */
  readonly kind: string
  /** What is left and where, in words without secrets. */
  readonly remains: string
  /** What the source is reached with, as the kind writes it. It is sealed where it is stored. */
  readonly source: Redacted.Redacted
}

/** A cleanup, and how it was tried. */
export interface PendingCleanup extends Cleanup {
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly lastError?: string
}

/**
 * The port to the sources that deleted pipes could not release. A pipe leaves one at most, and it outlives the pipe.
 *
 * @example
 * ```ts
 * import { Cleanups } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * export const remains = Cleanups.use((cleanups) =>
 *   Effect.map(cleanups.list, (pending) => pending.map(({ remains }) => remains))
 * )
 * ```
 */
export class Cleanups extends Context.Service<
  Cleanups,
  {
    /** Keeps a cleanup. One that the pipe has left before is replaced. */
    readonly add: (cleanup: Cleanup) => Effect.Effect<void, LedgerError>
    /** The ones that are not done, in the order of their pipes' ids. */
    readonly list: Effect.Effect<ReadonlyArray<PendingCleanup>, LedgerError>
    /** Counts an attempt that failed. */
    readonly markFailed: (pipeId: PipeId, message: string) => Effect.Effect<void, LedgerError>
    /** Forgets a cleanup that is done. A repeat is harmless. */
    readonly remove: (pipeId: PipeId) => Effect.Effect<void, LedgerError>
  }
>()("@headgate/mover/Cleanups") {}
