import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"

/** How often expired entries are removed, in milliseconds. */
const sweepEvery = 60_000

/** A map whose entries expire, each at its own time. Later writes remove expired entries. */
export class TtlMap<Value extends { readonly expiresAt: number }> {
  private readonly held = new Map<string, Value>()
  private sweptAt = Number.NEGATIVE_INFINITY

  /** The number of entries, including those that expired after the last removal. */
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

/** The count of a window, and when it ends, in milliseconds of the monotonic clock. */
interface Window {
  readonly count: number
  readonly expiresAt: number
}

/**
 * A rate limiter store in the memory of this process. Effect's own store keeps every window, and failed logins may come
 * from ever new addresses: here a fixed window is removed after its end, and reading one creates none.
 */
export const memoryRateLimiterStore = (held = new TtlMap<Window>()) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.map(RateLimiter.RateLimiterStore, (store) => ({
      ...store,
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            // Not the time of day: a clock that is set back would make every window longer.
            const now = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
            const window = held.get(key, now) ?? { count: 0, expiresAt: now }
            const count = window.count + tokens
            // As in Effect's stores, a limit of 0 means no limit.
            if (limit !== undefined && limit > 0 && count > limit) return [count, window.expiresAt - now] as const
            const expiresAt = window.expiresAt + Duration.toMillis(refillRate) * tokens
            if (tokens > 0) held.set(key, { count, expiresAt }, now)
            return [count, expiresAt - now] as const
          })
        )
    }))
  ).pipe(Layer.provide(RateLimiter.layerStoreMemory))
