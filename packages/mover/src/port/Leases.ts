import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { LedgerError } from "../range/MoveError.ts"

/** What a mover says of a pipe that it moves, for other processes to read. */
export interface LeaseNote {
  /** The name of the mover. */
  readonly mover: string
  /** As the mover wrote it. */
  readonly note: string
}

/** A process that moves pipes. */
export interface LeaseHolder {
  /** A name that no other process has. */
  readonly name: string
  /** What it can move, as a text: pipes are divided evenly among the movers with the same one. */
  readonly serves: string
}

/**
 * The port that divides the pipes of a store among several movers. A lease keeps movers out of each other's way and no more:
 * that rows are moved once is the ledger's doing, whose epochs refuse a mover that lost its pipe without noticing.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { Leases } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * // Called every half second by each mover.
 * export const mine = (pipes: ReadonlyArray<PipeId>) =>
 *   Leases.use((leases) => leases.share({ name: "mover-1", serves: "*" }, pipes, () => "{}"))
 * ```
 */
export class Leases extends Context.Service<
  Leases,
  {
    /**
     * Takes free pipes up to an equal share of `pipes`, renews those that this mover has, and gives back those above its share.
     * Returns the pipes that this mover is to move until it asks again. A mover that does not ask for `leaseTime` has lost its
     * pipes.
     */
    readonly share: (
      mover: LeaseHolder,
      pipes: ReadonlyArray<PipeId>,
      noteOf: (pipeId: PipeId) => string
    ) => Effect.Effect<ReadonlySet<PipeId>, LedgerError>
    /** Gives all pipes back: another mover can take them at once. */
    readonly release: (mover: string) => Effect.Effect<void, LedgerError>
    /** What the mover of a pipe last said of it; none if nobody moves it. */
    readonly note: (pipeId: PipeId) => Effect.Effect<Option.Option<LeaseNote>, LedgerError>
  }
>()("@headgate/mover/Leases") {}
