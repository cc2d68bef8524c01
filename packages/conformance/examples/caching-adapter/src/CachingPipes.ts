import { type PipeAddress, Pipes } from "@headgate/core"
import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

/** How long, and how much, {@link CachingPipes} remembers. */
export interface CachingPipesOptions {
  /** How long a pipe is answered as it was read. What another process changes is seen that much later. */
  readonly timeToLive: Duration.Input
  /** The most pipes that are kept, 1000 unless told; the one that was not asked for the longest makes room. */
  readonly capacity?: number
}

/** The fields that make an address, and no others: a caller's object may carry more, and must still hit its entry. */
const keyOf = ({ organizationId, pipeId, serviceId }: PipeAddress): PipeAddress => ({
  organizationId,
  serviceId,
  pipeId
})

const layer = ({ capacity = 1000, timeToLive }: CachingPipesOptions): Layer.Layer<Pipes, never, Pipes> =>
  Layer.effect(
    Pipes,
    Effect.gen(function* () {
      const store = yield* Pipes
      // Reads of one address that come at once share one lookup. It has a fiber of its own, which ends with the last
      // reader: that one of them is interrupted is no matter to the others.
      const cache = yield* Cache.makeWith(store.get, {
        capacity,
        // A failure may pass at any time: a pipe that was not found may be made, a service that was down may return.
        timeToLive: (exit) => (Exit.isSuccess(exit) ? timeToLive : Duration.zero)
      })

      return Pipes.of({
        get: Effect.fn("CachingPipes.get")((address) => Cache.get(cache, keyOf(address))),
        // After the delete, so that no read from before it is kept; and however it ends, since one that timed out or was
        // interrupted may have taken effect. A lookup that is under way loses its place, and keeps nothing.
        delete: Effect.fn("CachingPipes.delete")((address) =>
          Effect.ensuring(store.delete(address), Cache.invalidate(cache, keyOf(address)))
        )
      })
    })
  )

/**
 * The `Pipes` port over another `Pipes`, whose answers it remembers for a time. It stands for the credentials of the
 * adapter below it: what is cached was allowed to them, so callers with other rights need a cache of their own.
 */
export const CachingPipes = { layer }
