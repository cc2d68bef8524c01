import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { RateLimiterError, RateLimiterStore, RateLimitStoreError } from "effect/persistence/RateLimiter"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"

/** How often a server removes what has run out: rows of old keys are of no use and no harm. */
const sweepEvery = Duration.toMillis("1 minute")

const failed = (cause: SqlError) =>
  new RateLimiterError({ reason: new RateLimitStoreError({ message: "the rate limit's database failed", cause }) })

const noAdaptiveState = Effect.suspend(() =>
  Effect.fail(
    new RateLimiterError({
      reason: new RateLimitStoreError({
        message: "SqlRateLimiterStore keeps no adaptive state: use effect/persistence's Redis store for adaptive limits"
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
    yield* sql`DELETE FROM rate_window WHERE ends_at <= ${now}`
    yield* sql`DELETE FROM rate_bucket WHERE full_at <= ${now}`
  })

  /** One statement, which nothing comes between, and at times a sweep. */
  const call = Effect.fnUntraced(function* <Row extends object, A>(
    statement: (now: number) => Statement<Row>,
    toAnswer: (row: Row, now: number) => A
  ) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* statement(now)
    yield* sweep(now)
    return row === undefined ? yield* Effect.die("unreachable: an upsert answers its row") : toAnswer(row, now)
  }, Effect.mapError(failed))

  const number = (value: number) => sql`CAST(${value} AS DOUBLE PRECISION)`

  return RateLimiterStore.of({
    // The window of a key ends when all that was taken is refilled. `asked` is what the last call would have come to,
    // granted or not: it is the answer, and RETURNING knows only what was stored.
    fixedWindow: ({ key, limit, refillRate, tokens }) =>
      call(
        (now) => {
          const cost = Duration.toMillis(refillRate) * tokens
          // As in effect's stores, a limit of 0 is none.
          const cap = limit === undefined || limit === 0 ? Number.POSITIVE_INFINITY : limit
          const granted = tokens <= cap
          return sql<{ readonly asked: number; readonly ends_at: number }>`
            INSERT INTO rate_window AS held (id, asked, taken, ends_at)
            VALUES (${key}, ${tokens}, ${granted ? tokens : 0}, ${granted ? now + cost : now})
            ON CONFLICT (id) DO UPDATE SET (asked, taken, ends_at) = (
              SELECT taken + tokens,
                CASE WHEN taken + tokens <= cap THEN taken + tokens ELSE taken END,
                CASE WHEN taken + tokens <= cap THEN ends_at + cost ELSE ends_at END
              FROM (
                SELECT tokens, cap, cost,
                  CASE WHEN held.ends_at > now THEN held.taken ELSE 0 END AS taken,
                  CASE WHEN held.ends_at > now THEN held.ends_at ELSE now END AS ends_at
                FROM (
                  SELECT ${number(now)} AS now, ${number(tokens)} AS tokens, ${number(cap)} AS cap,
                    ${number(cost)} AS cost
                ) AS request
              ) AS present
            )
            RETURNING asked, ends_at`
        },
        ({ asked, ends_at }, now) => [asked, ends_at - now] as const
      ),

    // A bucket gains a token an interval, counted from `refilled_at`, until it is full.
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
      call(
        (now) => {
          const interval = Duration.toMillis(refillRate)
          const left = limit - tokens
          const held = allowOverflow || left >= 0 ? left : limit
          return sql<{ readonly asked: number; readonly refilled_at: number }>`
            INSERT INTO rate_bucket AS bucket (id, asked, held, refilled_at, full_at)
            VALUES (${key}, ${left}, ${held}, ${now}, ${now + (limit - held + 1) * interval})
            ON CONFLICT (id) DO UPDATE SET (asked, held, refilled_at, full_at) = (
              SELECT asked, held, refilled_at, refilled_at + (cap - held + 1) * refill
              FROM (
                SELECT held - tokens AS asked, cap, refill,
                  CASE WHEN overflows = 1 OR held - tokens >= 0 THEN held - tokens ELSE held END AS held,
                  CASE WHEN held >= cap THEN now ELSE refilled_at END AS refilled_at
                FROM (
                  SELECT now, tokens, cap, refill, overflows,
                    CASE WHEN gained <= 0 THEN bucket.held WHEN bucket.held + gained < cap THEN bucket.held + gained
                      ELSE cap END AS held,
                    CASE WHEN gained > 0 THEN bucket.refilled_at + gained * refill ELSE bucket.refilled_at END
                      AS refilled_at
                  FROM (
                    SELECT now, tokens, cap, refill, overflows, floor((now - bucket.refilled_at) / refill) AS gained
                    FROM (
                      SELECT ${number(now)} AS now, ${number(tokens)} AS tokens, ${number(limit)} AS cap,
                        ${number(interval)} AS refill, ${number(allowOverflow ? 1 : 0)} AS overflows
                    ) AS request
                  ) AS refilling
                ) AS refilled
              ) AS served
            )
            RETURNING asked, refilled_at`
        },
        ({ asked, refilled_at }, now) => [asked, Math.max(0, now - refilled_at)] as const
      ),

    adaptiveConsume: () => noAdaptiveState,
    adaptiveFeedback: () => noAdaptiveState
  })
})

const layer: Layer.Layer<RateLimiterStore, never, SqlClient.SqlClient> = Layer.effect(RateLimiterStore, make)

/**
 * Rate windows that all servers over one database share: effect/persistence's `RateLimiterStore` over SQL, each call
 * one statement. `SqlMigrations` makes its tables. Time is each server's own clock, so theirs must agree well within a
 * window. A crash of Postgres forgets the windows.
 *
 * It keeps no adaptive state: `adaptiveConsume` and `adaptiveFeedback` fail with a `RateLimiterError`.
 *
 * @example
 * ```ts
 * import { SqlAdapter, SqlRateLimiterStore } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 * import * as RateLimiter from "effect/persistence/RateLimiter"
 * import type * as Redacted from "effect/Redacted"
 *
 * export const limiter = (url: Redacted.Redacted) =>
 *   RateLimiter.layer.pipe(Layer.provide(SqlRateLimiterStore.layer), Layer.provide(SqlAdapter.layerPostgres({ url })))
 * ```
 */
export const SqlRateLimiterStore = { layer }
