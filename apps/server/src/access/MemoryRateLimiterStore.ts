import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"

/** How often what has run out is removed, in milliseconds: until then it is of no use and no harm. */
const sweepEvery = 60_000

/** Values by name, each of use until a time of its own. What has run out does not stay: others that come sweep it away. */
export class Expiring<Value extends { readonly expiresAt: number }> {
  private readonly held = new Map<string, Value>()
  private sweptAt = Number.NEGATIVE_INFINITY

  /** How many are held, those among them that have run out since the last sweep. */
  get size(): number {
    return this.held.size
  }

  get(name: string, now: number): Value | undefined {
    const found = this.held.get(name)
    return found !== undefined && found.expiresAt > now ? found : undefined
  }

  set(name: string, value: Value, now: number): void {
    if (now - this.sweptAt >= sweepEvery) {
      this.sweptAt = now
      for (const [name, { expiresAt }] of this.held) if (expiresAt <= now) this.held.delete(name)
    }
    this.held.set(name, value)
  }

  clear(): void {
    this.held.clear()
  }
}

/** How much was taken in a window, and when it ends, in milliseconds since 1970. */
interface Window {
  readonly count: number
  readonly expiresAt: number
}

/**
 * Rate windows in the memory of this process. Effect's own store never forgets one, and anyone may fail to log in from
 * ever new addresses: here a fixed window is gone some time after its end, and asking how much is left opens none.
 */
export const memoryWindows = (held = new Expiring<Window>()) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.map(RateLimiter.RateLimiterStore, (store) => ({
      ...store,
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            const now = clock.currentTimeMillisUnsafe()
            const window = held.get(key, now) ?? { count: 0, expiresAt: now }
            const count = window.count + tokens
            // As in Effect's stores, a limit of 0 is none.
            if (limit !== undefined && limit > 0 && count > limit) return [count, window.expiresAt - now] as const
            const expiresAt = window.expiresAt + Duration.toMillis(refillRate) * tokens
            if (tokens > 0) held.set(key, { count, expiresAt }, now)
            return [count, expiresAt - now] as const
          })
        )
    }))
  ).pipe(Layer.provide(RateLimiter.layerStoreMemory))
