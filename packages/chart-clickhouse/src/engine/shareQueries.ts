import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/** How long after it has begun to read a query is shared. */
const shared = "1 second"

interface Running<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiting: number
}

/** A query that says when it begins to read. */
export type SharedQuery<A, E> = (begins: Effect.Effect<void>) => Effect.Effect<A, E>

/** Runs a query, or waits for an equal one. */
export type ShareQuery<A, E> = (key: string, query: SharedQuery<A, E>) => Effect.Effect<A, E>

/**
 * Lets equal queries be one: those that wait to begin, and those that come within a second after it. `key` says which are equal. A query is
 * interrupted when nobody waits for it any more.
 */
export const shareQueries = <A, E>(scope: Scope.Scope): ShareQuery<A, E> => {
  const running = new Map<string, Running<A, E>>()
  const start = Effect.fnUntraced(function* (key: string, query: SharedQuery<A, E>) {
    const state: { one?: Running<A, E> } = {}
    const forget = Effect.sync(() => {
      if (running.get(key) === state.one) running.delete(key)
    })
    const begins = Effect.asVoid(Effect.forkIn(Effect.andThen(Effect.sleep(shared), forget), scope))
    const fiber = yield* Effect.forkIn(
      Effect.interruptible(Effect.suspend(() => query(begins))).pipe(Effect.onError(() => forget)),
      scope
    )
    const one: Running<A, E> = { fiber, waiting: 0 }
    state.one = one
    running.set(key, one)
    return one
  })
  return (key, query) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const one = running.get(key) ?? (yield* start(key, query))
        one.waiting += 1
        const leave = Effect.suspend(() => {
          one.waiting -= 1
          if (one.waiting > 0) return Effect.void
          if (running.get(key) === one) running.delete(key)
          return Fiber.interrupt(one.fiber)
        })
        return yield* restore(Fiber.join(one.fiber)).pipe(Effect.onInterrupt(() => leave))
      })
    )
}
