import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LedgerError } from "../range/MoveError.ts"

/** What a mover last said of a pipe, for other processes and later movers to read. */
export interface SavedMetrics {
  /** As the mover wrote them. */
  readonly metrics: string
  /** Whether a mover has the pipe. */
  readonly isHeld: boolean
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
 *   Leases.use((leases) => leases.share({ name: "mover-1", serves: "*" }, pipes))
 * ```
 */
export class Leases extends Context.Service<
  Leases,
  {
    /**
     * Takes free pipes up to an equal share of `pipes`, renews those that this mover has, and gives back those above its share.
     * Returns the pipes that this mover is to move until it asks again. A mover that does not ask for `leaseTime` has lost its
     * pipes. `name`: one that no other process has. `serves`: what the mover can move, as a text; pipes are divided evenly among the
     * movers with the same one.
     */
    readonly share: (
      mover: { readonly name: string; readonly serves: string },
      pipes: ReadonlyArray<PipeId>
    ) => Effect.Effect<ReadonlySet<PipeId>, LedgerError>
    /** Gives all pipes back: another mover can take them at once. */
    readonly release: (mover: string) => Effect.Effect<void, LedgerError>
    /**
     * Keeps what a mover says of its pipes, in the place of what was said before, until they are deleted. Pipes that another mover has
     * and deleted ones are left out.
     */
    readonly saveMetrics: (mover: string, metrics: ReadonlyMap<PipeId, string>) => Effect.Effect<void, LedgerError>
    /** What was last said of each of these pipes of which something was. */
    readonly savedMetrics: (
      pipeIds: ReadonlyArray<PipeId>
    ) => Effect.Effect<ReadonlyMap<PipeId, SavedMetrics>, LedgerError>
  }
>()("@headgate/mover/Leases") {}
