import { type PipeAddress, Pipes } from "@headgate/core"
import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

/** The options of {@link CachingPipes}. */
export interface CachingPipesOptions {
  /** How long a pipe stays in the cache. A change by another process is visible after at most this time. */
  readonly timeToLive: Duration.Input
  /** The most pipes in the cache, 1000 by default. The least recently used one is removed first. */
  readonly capacity?: number
}

/** The fields of an address alone: a caller's object may have more fields and must still find its entry. */
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
      // Concurrent reads of one address share one lookup. It runs in its own fiber, so interrupting one reader does not
      // interrupt the others.
      const cache = yield* Cache.makeWith(store.get, {
        capacity,
        // A failure is not cached: the pipe may be created, and the service may be available again.
        timeToLive: (exit) => (Exit.isSuccess(exit) ? timeToLive : Duration.zero)
      })

      // After the change, so that a read from before it does not stay in the cache. Also when the change fails or is
      // interrupted, because it may have taken effect. A lookup in flight is not stored.
      const changing = <A, E>(address: PipeAddress, change: Effect.Effect<A, E>) =>
        Effect.ensuring(change, Cache.invalidate(cache, keyOf(address)))

      return Pipes.of({
        // Other methods, such as lists, are not cached.
        ...store,
        get: Effect.fn("CachingPipes.get")((address) => Cache.get(cache, keyOf(address))),
        delete: Effect.fn("CachingPipes.delete")((address) => changing(address, store.delete(address))),
        update: Effect.fn("CachingPipes.update")((address, request) =>
          changing(address, store.update(address, request))
        ),
        setState: Effect.fn("CachingPipes.setState")((address, request) =>
          changing(address, store.setState(address, request))
        ),
        resume: Effect.fn("CachingPipes.resume")((address, request) =>
          changing(address, store.resume(address, request))
        ),
        adopt: Effect.fn("CachingPipes.adopt")((address) => changing(address, store.adopt(address))),
        scale: Effect.fn("CachingPipes.scale")((address, request) => changing(address, store.scale(address, request))),
        updateSettings: Effect.fn("CachingPipes.updateSettings")((address, request) =>
          changing(address, store.updateSettings(address, request))
        )
      })
    })
  )

/**
 * The `Pipes` port over another `Pipes`, whose pipes it caches. The cache belongs to the credentials of the adapter below
 * it, so callers with other rights need another cache.
 */
export const CachingPipes = { layer }
