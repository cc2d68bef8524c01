import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LedgerError } from "../range/MoveError.ts"

/** What a mover last said of a pipe, for other processes and later movers to read. */
export interface SavedMetrics {
  /** As the mover wrote them. */
  readonly metrics: string
  /** Whether a mover has the pipe. */
  readonly isHeld: boolean
}

/** A mover from its start until it ends or its session expires. */
export interface MoverSession {
  /** Drawn at random for each session: a name that a restarted process has again does not do. */
  readonly id: string
  /** What the mover can move, as a text: pipes are divided among the sessions with the same one. */
  readonly serves: string
  /**
   * Whether the mover cannot start pipes at present, for a reason of its own. As long as another session takes pipes, it gives back what
   * it has, and no share is left for it. By default `false`.
   */
  readonly isResting?: boolean
}

/** The session was not renewed in time, so that other movers may have its pipes. The mover stops them and draws a new session. */
export class SessionExpired extends Schema.TaggedError<SessionExpired>("@headgate/mover/SessionExpired")(
  "SessionExpired",
  { message: Schema.String }
) {}

/**
 * The port that divides the pipes of a store among several movers. A mover has a session, and a lease of a pipe is valid until the
 * session expires. Leases keep movers out of each other's way and no more: that rows are moved once is the ledger's doing, whose epochs
 * refuse a mover that lost its pipe without noticing.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { Leases } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * // Called every half second by each mover.
 * export const mine = (pipes: ReadonlySet<PipeId>) =>
 *   Leases.use((leases) => leases.share({ id: "6f1c2d3e", serves: "*" }, pipes))
 * ```
 */
export class Leases extends Context.Service<
  Leases,
  {
    /**
     * Renews the session, takes free pipes up to a fair share of the load of `wanted`, and gives back those above it. Returns the pipes
     * that this session is to move until it asks again. A session that does not ask for `leaseTime` has lost its pipes. `weights`: the
     * loads of pipes of this session, at least 1 each, as they are known; a pipe of which nothing was ever said has the weight 1. It is
     * called often, so what it costs grows neither with the pipes nor with the leases as long as none are free.
     */
    readonly share: (
      session: MoverSession,
      wanted: ReadonlySet<PipeId>,
      weights?: ReadonlyMap<PipeId, number>
    ) => Effect.Effect<ReadonlySet<PipeId>, LedgerError | SessionExpired>
    /** Ends a session and gives all of its pipes back: another one can take them at once. */
    readonly release: (sessionId: string) => Effect.Effect<void, LedgerError>
    /** How many pipes all sessions together have, as these last said. It is cheap. */
    readonly held: Effect.Effect<number, LedgerError>
    /**
     * Keeps what a mover says of its pipes, in the place of what was said before, until they are deleted. Left out are pipes that another
     * session has or has had since, and deleted ones. What a mover says later is never replaced by what it said before.
     */
    readonly saveMetrics: (sessionId: string, metrics: ReadonlyMap<PipeId, string>) => Effect.Effect<void, LedgerError>
    /** What was last said of each of these pipes of which something was. */
    readonly savedMetrics: (
      pipeIds: ReadonlyArray<PipeId>
    ) => Effect.Effect<ReadonlyMap<PipeId, SavedMetrics>, LedgerError>
  }
>()("@headgate/mover/Leases") {}
