import type { PipeId } from "@headgate/core"
import type { LedgerError, Leases, MoverSession } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { mover } from "../pipe/metrics.ts"

/** Which pipes of a store this process moves. */
export interface PipeShare {
  /** The session in whose name it moves pipes now. */
  readonly session: () => string
  /** The pipes to divide: those of its warehouses. */
  readonly want: (pipes: ReadonlySet<PipeId>) => void
  readonly isMine: (pipeId: PipeId) => boolean
  /** Asks the store for the share of this process. Nothing is asked before it is known which pipes there are. */
  readonly ask: (weights: ReadonlyMap<PipeId, number>, isResting: boolean) => Effect.Effect<void, LedgerError>
  readonly release: Effect.Effect<void, LedgerError>
}

// No other process has it, nor has one that was in this one's place. The name says to a reader whose it is.
const drawSession = Effect.sync(() => `${mover} ${randomUUID()}`)

/** `leases`: absent if no other process uses the store, so that all pipes are this one's. */
export const makePipeShare = Effect.fnUntraced(function* (leases: Leases["Service"] | undefined, serves: string) {
  let id = yield* drawSession
  let wanted: ReadonlySet<PipeId> | undefined
  let mine: ReadonlySet<PipeId> = new Set()

  const share: PipeShare = {
    session: () => id,
    want: (pipes) => {
      wanted = pipes
    },
    isMine: (pipeId) => leases === undefined || mine.has(pipeId),
    ask: Effect.fnUntraced(function* (weights, isResting) {
      if (leases === undefined || wanted === undefined) return
      const session: MoverSession = { id, serves, isResting }
      mine = yield* leases.share(session, wanted, weights).pipe(
        Effect.catchTag("SessionExpired", ({ message }) =>
          Effect.gen(function* () {
            yield* Effect.logWarning(
              `this server stops the ${mine.size} pipes that it moves, and begins anew: ${message}`
            )
            id = yield* drawSession
            return new Set<PipeId>()
          })
        )
      )
    }),
    release: Effect.suspend(() => (leases === undefined ? Effect.void : leases.release(id)))
  }
  return share
})
