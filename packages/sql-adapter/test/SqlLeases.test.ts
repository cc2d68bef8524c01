import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { Leases } from "@headgate/mover"
import { lawPipeId, leaseLaws, otherPipeId } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Postgres, SqlAdapter } from "../src/index.ts"
import { SqlLeases } from "../src/mover/index.ts"
import { insertPipes } from "./support/ledgers.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { addTime, setShiftedClock } from "./support/shiftedClock.ts"

/** Leases in a new database. */
const makeIn = Effect.fnUntraced(function* <E>(
  store: Layer.Layer<SqlClient.SqlClient, E>,
  leaseTime: Duration.Duration
) {
  const context = yield* Layer.build(Layer.provideMerge(SqlLeases.layer({ leaseTime }), Layer.fresh(store)))
  yield* Effect.provideContext(insertPipes(lawPipeId, otherPipeId), context)
  return { leases: Context.get(context, Leases), sql: Context.get(context, SqlClient.SqlClient) }
})

leaseLaws({
  name: "SQLite",
  make: (leaseTime) => makeIn(SqlAdapter.layerSqlite({ filename: ":memory:" }), leaseTime)
})

describePostgres("Leases in Postgres", (postgres) => {
  const store = Layer.unwrap(
    Effect.gen(function* () {
      const { createDatabase } = yield* postgres
      const url = yield* createDatabase
      yield* Effect.provide(setShiftedClock, Layer.fresh(Postgres.layer({ url })))
      return SqlAdapter.layerPostgres({ url, sealingKey })
    })
  )
  leaseLaws({
    name: "Postgres",
    make: (leaseTime) =>
      Effect.map(makeIn(store, leaseTime), ({ leases, sql }) => ({ leases, addTime: (time) => addTime(sql, time) }))
  })

  const leaseTime = Duration.minutes(1)
  const pipes = new Set([lawPipeId, otherPipeId])
  /** Two servers of one store, each with what it knows of its own session. The session of `a` has both pipes and will soon expire. */
  const soonExpired = Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(store))
    const server = Effect.provideContext(
      Effect.map(Layer.build(Layer.fresh(SqlLeases.layer({ leaseTime }))), Context.get(Leases)),
      context
    )
    const sql = Context.get(context, SqlClient.SqlClient)
    yield* Effect.provideContext(insertPipes(lawPipeId, otherPipeId), context)
    const [one, other] = [yield* server, yield* server]
    const a = one.share({ id: "a", serves: "*" }, pipes)
    const b = other.share({ id: "b", serves: "*" }, pipes)
    assert.strictEqual((yield* a).size, 2)
    const pass = (time: Duration.Input) => addTime(sql, Duration.fromInputUnsafe(time))
    yield* pass("40 seconds")
    /** Runs an effect in a transaction that is committed once `end` is done. */
    const heldOpen = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
      const [done, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const body = Effect.gen(function* () {
        const result = yield* Effect.exit(effect)
        yield* Deferred.succeed(done, undefined)
        yield* Deferred.await(end)
        return yield* result
      })
      const fiber = yield* Effect.forkScoped(sql.withTransaction(body))
      yield* Deferred.await(done)
      return Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber))
    })
    /** Waits until a statement of the database waits for a lock. */
    const someoneWaits = Effect.gen(function* () {
      const waiting = sql`
        SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
      while ((yield* waiting).length === 0) yield* Effect.sleep("20 millis")
    })
    return { a, b, heldOpen, other, pass, someoneWaits, sql }
  })

  it.live("a session that is renewed while another one finds it expired keeps its pipes", () =>
    Effect.gen(function* () {
      const { a, b, heldOpen, pass } = yield* soonExpired
      const commit = yield* heldOpen(a)
      yield* pass("25 seconds")
      // What is committed of the session has expired.
      assert.deepStrictEqual(yield* b, new Set())
      assert.deepStrictEqual(yield* commit, pipes)
      assert.deepStrictEqual(yield* b, new Set())
      const kept = yield* a
      assert.strictEqual(kept.size, 1)
      assert.deepStrictEqual(new Set([...kept, ...(yield* b)]), pipes)
    }).pipe(Effect.scoped)
  )

  it.live("a session whose pipes are being taken is not renewed, even if it asks before that is committed", () =>
    Effect.gen(function* () {
      const { a, b, heldOpen, pass } = yield* soonExpired
      yield* pass("25 seconds")
      const commit = yield* heldOpen(b)
      assert.strictEqual((yield* Effect.flip(a))._tag, "SessionExpired")
      assert.deepStrictEqual(yield* commit, pipes)
      assert.deepStrictEqual(yield* b, pipes)
    }).pipe(Effect.scoped)
  )

  it.live(
    "a renewal that began in time and waits for its row keeps the pipes, and another session does not wait for it",
    () =>
      Effect.gen(function* () {
        const { a, b, heldOpen, pass, someoneWaits, sql } = yield* soonExpired
        const unlock = yield* heldOpen(sql`SELECT id FROM mover_session WHERE id = 'a' FOR UPDATE`)
        const renewal = yield* Effect.forkScoped(a)
        yield* someoneWaits
        yield* pass("25 seconds")
        // Were it to wait, it would for ever.
        assert.deepStrictEqual(yield* b, new Set())
        yield* unlock
        assert.deepStrictEqual(yield* Fiber.join(renewal), pipes)
        assert.deepStrictEqual(yield* b, new Set())
      }).pipe(Effect.scoped)
  )

  it.live("the row of a session that is gone is removed, whether it had pipes or none", () =>
    Effect.gen(function* () {
      const { a, b, other, pass, sql } = yield* soonExpired
      yield* other.share({ id: "c", serves: "another warehouse" }, new Set())
      assert.strictEqual((yield* a).size, 2)
      for (let step = 0; step < 8; step += 1) {
        yield* pass("21 seconds")
        yield* b
      }
      const rows = yield* sql<{ readonly id: string }>`SELECT id FROM mover_session ORDER BY id`
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        ["b"]
      )
      assert.deepStrictEqual(yield* b, pipes)
    }).pipe(Effect.scoped)
  )

  it.live(
    "sessions that come, go, freeze and ask at the same time never have a pipe in common, and share all of them",
    () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(Layer.fresh(store))
        const ids = Array.from({ length: 60 }, (_, index) =>
          PipeId.make(`b1be0000-0000-4000-8000-0000000001${index.toString(16).padStart(2, "0")}`)
        )
        yield* Effect.provideContext(insertPipes(...ids), context)
        const pass = (seconds: number) => addTime(Context.get(context, SqlClient.SqlClient), Duration.seconds(seconds))
        const wanted = new Set(ids)
        const server = Effect.provideContext(
          Effect.map(Layer.build(Layer.fresh(SqlLeases.layer({ leaseTime }))), Context.get(Leases)),
          context
        )
        const servers = yield* Effect.all(Array.from({ length: 6 }, () => server))
        const names = servers.map((_, index) => `${index}.0`)
        const alive = (round: number) =>
          servers.flatMap((one, index) => ((round >> 2) % 7 === index ? [] : [{ one, index }]))
        for (let round = 0; round < 40; round += 1) {
          const shares = yield* Effect.forEach(
            alive(round),
            ({ index, one }) =>
              one.share({ id: names[index] ?? "", serves: "*" }, wanted).pipe(
                Effect.catchTag("SessionExpired", () => {
                  names[index] = `${index}.${round + 1}`
                  return Effect.succeed(new Set<PipeId>())
                })
              ),
            { concurrency: 6 }
          )
          const all = shares.flatMap((share) => Array.from(share))
          assert.strictEqual(new Set(all).size, all.length, `round ${round}`)
          if (round % 9 === 8) yield* servers[5]?.release(names[5] ?? "") ?? Effect.void
          yield* pass(18)
        }
        // All of them ask until nothing changes any more.
        yield* pass(61)
        let sizes: ReadonlyArray<number> = []
        for (let round = 0; round < 12; round += 1) {
          sizes = yield* Effect.forEach(servers, (one, index) =>
            Effect.map(one.share({ id: `${index} last`, serves: "*" }, wanted), ({ size }) => size)
          )
        }
        assert.deepStrictEqual(sizes, [10, 10, 10, 10, 10, 10])
      }).pipe(Effect.scoped)
  )
})
