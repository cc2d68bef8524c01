import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/** Milliseconds after its beginning in which a query is shared. */
const shared = 1000

interface Running<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly since: number
  waiting: number
}

/**
 * Lets equal queries that begin within a second be one: `key` says which are equal. A query is interrupted when nobody waits for it any
 * more.
 */
export const shareQueries = <A, E>(scope: Scope.Scope) => {
  const running = new Map<string, Running<A, E>>()
  const forgetOld = (now: number) => {
    for (const [key, { since }] of running) if (now - since > shared) running.delete(key)
  }
  return (key: string, query: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        forgetOld(now)
        const found = running.get(key)
        const forget = Effect.sync(() => {
          if (running.get(key) === one) running.delete(key)
        })
        const one: Running<A, E> = found ?? {
          fiber: yield* Effect.forkIn(Effect.interruptible(query).pipe(Effect.onError(() => forget)), scope),
          since: now,
          waiting: 0
        }
        if (found === undefined) {
          running.set(key, one)
          // An answer is kept for this second alone.
          yield* Effect.forkIn(Effect.andThen(Effect.sleep(shared), forget), scope)
        }
        one.waiting += 1
        const leave = Effect.suspend(() => {
          one.waiting -= 1
          return one.waiting > 0 ? Effect.void : Effect.andThen(forget, Fiber.interrupt(one.fiber))
        })
        return yield* restore(Fiber.join(one.fiber)).pipe(Effect.onInterrupt(() => leave))
      })
    )
}
