import { type Pipe, type PipeAddress, PipeNotFound, Pipes } from "@headgate/core"
import * as Cache from "effect/Cache"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Cached = (store: Pipes["Service"]) => Effect.Effect<Pipes["Service"]>

const keyOf = ({ organizationId, pipeId, serviceId }: PipeAddress) => `${organizationId}/${serviceId}/${pipeId}`

/** Returns a deleted pipe from the cache. */
const neverInvalidates: Cached = (store) =>
  Effect.map(Cache.make({ lookup: store.get, capacity: 100 }), (cache) => ({
    ...store,
    get: (address) => Cache.get(cache, address)
  }))

/** A read that began before a delete stores the pipe after it. */
const storesOldReads =
  (keyOf: (address: PipeAddress) => string): Cached =>
  (store) =>
    Effect.sync(() => {
      const held = new Map<string, Pipe>()
      return {
        ...store,
        get: (address) => {
          const pipe = held.get(keyOf(address))
          return pipe === undefined
            ? Effect.tap(store.get(address), (found) => Effect.sync(() => held.set(keyOf(address), found)))
            : Effect.succeed(pipe)
        },
        delete: (address) => Effect.tap(store.delete(address), () => Effect.sync(() => held.delete(keyOf(address))))
      }
    })

/** A second read waits for the first one, and is interrupted with it. */
const sharesInterruption: Cached = (store) =>
  Effect.sync(() => {
    const pending = new Map<string, Deferred.Deferred<Pipe, PipeNotFound>>()
    return {
      ...store,
      get: Effect.fnUntraced(function* (address) {
        const first = pending.get(keyOf(address))
        if (first !== undefined) return yield* Deferred.await(first)
        const mine = yield* Deferred.make<Pipe, PipeNotFound>()
        pending.set(keyOf(address), mine)
        return yield* store.get(address).pipe(
          Effect.catch(() => Effect.fail(new PipeNotFound({ message: "no such pipe", address }))),
          Effect.onExit((exit) => {
            pending.delete(keyOf(address))
            return Deferred.done(mine, exit)
          })
        )
      })
    }
  })

const layerOf = (cached: Cached): Layer.Layer<Pipes, never, Pipes> => Layer.effect(Pipes, Effect.flatMap(Pipes, cached))

/** Caches with common mistakes, by the mistake. */
export const brokenCaches: Readonly<Record<string, Layer.Layer<Pipes, never, Pipes>>> = {
  "never invalidates": layerOf(neverInvalidates),
  "stores an old read after a delete": layerOf(storesOldReads(keyOf)),
  // A pipe id is unique, but a caller of another organization may know it.
  "uses the id alone as its key": layerOf(storesOldReads(({ pipeId }) => pipeId)),
  "shares interruption": layerOf(sharesInterruption)
}
