import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { RateLimiterError, RateLimiterStore, RateLimitStoreError } from "effect/persistence/RateLimiter"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { writeStatement } from "../internal/transaction.ts"

/** How often a server deletes the windows that have ended. */
const sweepEvery = Duration.toMillis("1 minute")

/** How much the clocks of servers on one database may differ. */
const clockTolerance = Duration.toMillis("10 seconds")

const failed = (cause: SqlError) =>
  new RateLimiterError({ reason: new RateLimitStoreError({ message: "the rate limit's database failed", cause }) })

const notSupported = (what: string) =>
  Effect.suspend(() =>
    Effect.fail(
      new RateLimiterError({
        reason: new RateLimitStoreError({
          message: `SqlRateLimiterStore does not support ${what}: use effect/persistence's Redis store`
        })
      })
    )
  )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sweptAt = yield* Ref.make(Number.NEGATIVE_INFINITY)

  const sweep = Effect.fnUntraced(function* (now: number) {
    const isDue = yield* Ref.modify(sweptAt, (last) => {
      const due = now - last >= sweepEvery
      return [due, due ? now : last]
    })
    if (!isDue) return
    yield* writeStatement(sql)(sql`DELETE FROM rate_window WHERE ends_at <= ${now}`)
  })

  const number = (value: number) => sql`CAST(${value} AS DOUBLE PRECISION)`

  return RateLimiterStore.of({
    // The window of a key ends when all tokens that were taken are refilled. `asked` is the count that the last call
    // wanted, granted or not: it is the result, and RETURNING knows only what was stored.
    // A window that ends later than its tokens and the tolerance explain began in the future: the clock was set back. It
    // is over.
    fixedWindow: Effect.fnUntraced(function* ({ key, limit, refillRate, tokens }) {
      const now = yield* Clock.currentTimeMillis
      const rate = Duration.toMillis(refillRate)
      const cost = rate * tokens
      // As in effect's stores, 0 means no limit.
      const cap = limit === undefined || limit === 0 ? Number.POSITIVE_INFINITY : limit
      const granted = tokens <= cap
      const statement = sql<{ readonly asked: number; readonly ends_at: number }>`
        INSERT INTO rate_window AS held (id, asked, taken, ends_at)
        VALUES (${key}, ${tokens}, ${granted ? tokens : 0}, ${granted ? now + cost : now})
        ON CONFLICT (id) DO UPDATE SET (asked, taken, ends_at) = (
          SELECT taken + tokens,
            CASE WHEN taken + tokens <= cap THEN taken + tokens ELSE taken END,
            CASE WHEN taken + tokens <= cap THEN ends_at + cost ELSE ends_at END
          FROM (
            SELECT tokens, cap, cost,
              CASE WHEN held.ends_at > now AND held.ends_at <= latest THEN held.taken ELSE 0 END AS taken,
              CASE WHEN held.ends_at > now AND held.ends_at <= latest THEN held.ends_at ELSE now END AS ends_at
            FROM (
              SELECT ${number(now)} AS now, ${number(tokens)} AS tokens, ${number(cap)} AS cap,
                ${number(cost)} AS cost, ${number(now + clockTolerance)} + held.taken * ${number(rate)} AS latest
            ) AS request
          ) AS present
        )
        RETURNING asked, ends_at`
      const [row] = yield* writeStatement(sql)(statement)
      yield* sweep(now)
      if (row === undefined) return yield* Effect.die("unreachable: an upsert returns its row")
      return [row.asked, row.ends_at - now] as const
    }, Effect.mapError(failed)),

    tokenBucket: () => notSupported("token buckets"),
    adaptiveConsume: () => notSupported("adaptive limits"),
    adaptiveFeedback: () => notSupported("adaptive limits")
  })
})

const layer: Layer.Layer<RateLimiterStore, never, SqlClient.SqlClient> = Layer.effect(RateLimiterStore, make)

/**
 * Rate limits in SQL, shared by every server on that database: effect/persistence's `RateLimiterStore`, for fixed
 * windows. Each call is one statement. `SqlMigrations` creates its table. Time is each server's own clock: the clocks
 * may differ by up to 10 seconds, and a clock that is set back makes a window at most so much longer. A crash of Postgres
 * loses the windows.
 *
 * `tokenBucket`, `adaptiveConsume` and `adaptiveFeedback` fail with a `RateLimiterError`.
 *
 * @example
 * ```ts
 * import { type SealedPostgresOptions, SqlAdapter, SqlRateLimiterStore } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 * import * as RateLimiter from "effect/persistence/RateLimiter"
 *
 * export const limiter = (options: SealedPostgresOptions) =>
 *   RateLimiter.layer.pipe(Layer.provide(SqlRateLimiterStore.layer), Layer.provide(SqlAdapter.layerPostgres(options)))
 * ```
 */
export const SqlRateLimiterStore = { layer }
