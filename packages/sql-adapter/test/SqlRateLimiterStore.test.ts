import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { Postgres, SqlRateLimiterStore } from "../src/index.ts"
import { describePostgres } from "./support/postgres.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

const { RateLimiterStore } = RateLimiter
type Store = Context.Service.Shape<typeof RateLimiterStore>

/** A call, some time after the previous one. */
const Call = Schema.Struct({
  after: Schema.Literals([0, 0, 1, 7, 99, 100, 101, 333, 1000, 61_000]),
  key: Schema.Literals(["a", "b", "c"]),
  tokens: Schema.Literals([0.5, 1, 1, 2, 3, 7]),
  limit: Schema.NullOr(Schema.Literals([0, 1, 2.5, 5, 10]))
})
type Call = typeof Call.Type

/** A key always has one rate. */
const refillRates = { a: 1, b: 33.333, c: 1000 / 7 }

const run = (store: Store, { key, limit, tokens }: Call) =>
  store.fixedWindow({ key, tokens, limit: limit ?? undefined, refillRate: Duration.millis(refillRates[key]) })

const script = Arbitrary.schema(Schema.Array(Call).check(Schema.isMinLength(20), Schema.isMaxLength(60)))

const granted = (answers: ReadonlyArray<readonly [asked: number, number]>, limit: number) =>
  answers.filter(([asked]) => asked <= limit).length

interface StoresOptions<E> {
  readonly name: string
  /** Servers, each with a store of its own, over one new database. */
  readonly servers: (count: number) => Effect.Effect<ReadonlyArray<Server>, E, Scope.Scope>
  readonly runs: number
}

interface Server {
  readonly store: Store
  readonly sql: SqlClient
}

const laws = <E>({ name, runs, servers }: StoresOptions<E>) =>
  describe(`${name}: rate windows`, () => {
    it.effect.prop(
      "return what effect's own store returns, for any sequence of calls",
      [script],
      ([calls]) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(1_780_000_000_000)
          const memory = Context.get(yield* Layer.build(Layer.fresh(RateLimiter.layerStoreMemory)), RateLimiterStore)
          const [one, other] = yield* servers(2)
          assert.isDefined(one)
          assert.isDefined(other)
          yield* Effect.forEach(
            calls,
            Effect.fnUntraced(function* (call, n) {
              yield* TestClock.adjust(Duration.millis(call.after))
              const expected = yield* run(memory, call)
              // The calls of one sequence reach different servers.
              const actual = yield* run(n % 3 === 0 ? other.store : one.store, call)
              assert.deepStrictEqual(actual, expected)
            })
          )
        }),
      { arbitrary: { runs } }
    )

    it.live("grant exactly the limit to calls that several servers make at once", () =>
      Effect.gen(function* () {
        const all = yield* servers(3)
        const options = { key: "k", tokens: 1, limit: 25, refillRate: Duration.minutes(1) }
        const callers = Array.from({ length: 120 }, (_, n) => all[n % all.length]?.store).filter(
          (store) => store !== undefined
        )
        const windows = yield* Effect.forEach(callers, (store) => store.fixedWindow(options), {
          concurrency: "unbounded"
        })
        assert.strictEqual(granted(windows, 25), 25)
      })
    )

    it.effect("keep no row longer than a minute after it has run out", () =>
      Effect.gen(function* () {
        const [server] = yield* servers(1)
        assert.isDefined(server)
        const { sql, store } = server
        const second = { tokens: 1, limit: 5, refillRate: Duration.seconds(1) }
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, n) => `${n}`),
          (key) => store.fixedWindow({ ...second, key })
        )
        const rows = sql`SELECT CAST(COUNT(*) AS INTEGER) AS windows FROM rate_window`
        assert.deepStrictEqual({ ...(yield* rows)[0] }, { windows: 20 })
        yield* TestClock.adjust("1 minute")
        yield* store.fixedWindow({ ...second, key: "new" })
        assert.deepStrictEqual({ ...(yield* rows)[0] }, { windows: 1 })
      })
    )

    it.effect("are made hardly longer by a clock that is set back", () =>
      Effect.gen(function* () {
        const [server] = yield* servers(1)
        assert.isDefined(server)
        const use = server.store.fixedWindow({ key: "k", tokens: 1, limit: 2, refillRate: Duration.seconds(30) })
        yield* TestClock.setTime(Date.parse("2026-06-01T12:00:00Z"))
        yield* use
        yield* use
        yield* TestClock.setTime(Date.parse("2026-06-01T09:00:00Z"))
        assert.deepStrictEqual(yield* use, [1, 30_000])
      })
    )

    it.effect("hold between servers whose clocks differ by some seconds", () =>
      Effect.gen(function* () {
        const [server] = yield* servers(1)
        assert.isDefined(server)
        const use = server.store.fixedWindow({ key: "k", tokens: 1, limit: 2, refillRate: Duration.seconds(30) })
        yield* TestClock.setTime(Date.parse("2026-06-01T12:00:05Z"))
        yield* use
        yield* use
        yield* TestClock.setTime(Date.parse("2026-06-01T12:00:00Z"))
        assert.deepStrictEqual(yield* use, [3, 65_000])
      })
    )

    it.effect("give RateLimiter the remaining tokens and the time to wait", () =>
      Effect.gen(function* () {
        const [server] = yield* servers(1)
        assert.isDefined(server)
        const consume = RateLimiter.RateLimiter.use((limiter) =>
          limiter.consume({ key: "k", limit: 2, window: "10 seconds" })
        ).pipe(Effect.provide(Layer.fresh(RateLimiter.layer)), Effect.provideService(RateLimiterStore, server.store))
        assert.strictEqual((yield* consume).remaining, 1)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* consume).remaining, 0)
        const { reason } = yield* Effect.flip(consume)
        assert.strictEqual(reason._tag, "RateLimitExceeded")
        assert.deepStrictEqual(reason._tag === "RateLimitExceeded" && Duration.toMillis(reason.retryAfter), 9000)
      })
    )

    it.effect("fail for token buckets and adaptive limits", () =>
      Effect.gen(function* () {
        const [server] = yield* servers(1)
        assert.isDefined(server)
        const { store } = server
        const second = Duration.seconds(1)
        const calls = [
          store.tokenBucket({ key: "k", tokens: 1, limit: 1, refillRate: second, allowOverflow: false }),
          store.adaptiveConsume({ key: "k", tokens: 1, fallbackLimit: 1, fallbackWindow: second }),
          store.adaptiveFeedback({ key: "k", tokens: 1, epoch: 0, status: 429, retryAfter: second })
        ]
        for (const call of calls) {
          const error = yield* Effect.flip(Effect.asVoid<unknown, RateLimiter.RateLimiterError, never>(call))
          assert.include(error.message, "does not support")
        }
      })
    )

    it.effect("are a RateLimiterError when the database fails", () =>
      Effect.gen(function* () {
        const [server] = yield* servers(1)
        assert.isDefined(server)
        const { sql, store } = server
        yield* sql`ALTER TABLE rate_window RENAME TO gone`
        const window = { key: "k", tokens: 1, limit: 1, refillRate: Duration.seconds(1) }
        const { reason } = yield* Effect.flip(store.fixedWindow(window))
        yield* sql`ALTER TABLE gone RENAME TO rate_window`
        assert.strictEqual(reason._tag, "RateLimitStoreError")
      })
    )
  })

const storesOver = (sql: SqlClient, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(Layer.build(Layer.fresh(SqlRateLimiterStore.layer)), (built): Server => ({
      sql,
      store: Context.get(built, RateLimiterStore)
    }))
  ).pipe(Effect.provideService(SqlClient, sql))

laws({
  name: "SQLite",
  servers: (count) =>
    Effect.flatMap(Layer.build(layerTemporary()), (built) => storesOver(Context.get(built, SqlClient), count)),
  runs: 20
})

describePostgres("Postgres", (postgres) => {
  laws({
    name: "Postgres",
    servers: (count) =>
      Effect.gen(function* () {
        const { lendDatabase } = yield* postgres
        const url = yield* lendDatabase
        const servers = yield* Effect.forEach(Array.from({ length: count }), () =>
          Effect.flatMap(Layer.build(Layer.fresh(Postgres.layer({ url }))), (built) =>
            storesOver(Context.get(built, SqlClient), 1)
          )
        )
        return servers.flat()
      }),
    runs: 20
  })
})
