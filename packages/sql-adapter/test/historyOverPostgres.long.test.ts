import { assert, it } from "@effect/vitest"
import type { Owner } from "@headgate/mover"
import { historyLaws, type HistoryUnderTest, lawPipeId } from "@headgate/mover/laws"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Postgres, SqlAdapter } from "../src/index.ts"
import { makeIn } from "./support/histories.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"

/** A clock of a database that is set: it stands before that of Postgres in the search path. */
const ownClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
  yield* sql`CREATE SCHEMA law_clock`
  yield* sql`CREATE TABLE law_clock.moment (at TIMESTAMPTZ NOT NULL)`
  yield* sql`INSERT INTO law_clock.moment (at) VALUES (now())`
  yield* sql.unsafe(
    "CREATE FUNCTION law_clock.statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM law_clock.moment'"
  )
  yield* sql.unsafe(`ALTER DATABASE "${row?.name}" SET search_path = public, law_clock, pg_catalog`)
})

describePostgres("the history in Postgres", (postgres) => {
  const make = Effect.gen(function* () {
    const { createDatabase } = yield* postgres
    const url = yield* createDatabase
    yield* Effect.provide(ownClock, Layer.fresh(Postgres.layer({ url })))
    const { history, ledger, sql } = yield* makeIn(SqlAdapter.layerPostgres({ url, sealingKey }))
    const under: HistoryUnderTest = {
      history,
      ledger,
      setClock: (millis) => sql`UPDATE law_clock.moment SET at = to_timestamp(${millis / 1000})`
    }
    return under
  })
  historyLaws({ name: "Postgres", make, runs: 2 })

  it.live("a note that waits for the row while another mover takes the pipe is left out", () =>
    Effect.gen(function* () {
      const { createDatabase } = yield* postgres
      const { history, ledger, sql } = yield* makeIn(
        SqlAdapter.layerPostgres({ url: yield* createDatabase, sealingKey })
      )
      const noteBy = Effect.fnUntraced(function* (owner: Owner) {
        const mover = yield* history.beat(undefined)
        return yield* history.note(mover, [{ pipeId: lawPipeId, epoch: owner.epoch, state: "Running", lag: 0 }], "this")
      })
      const one = yield* ledger.take(lawPipeId)
      assert.strictEqual((yield* noteBy(one)).size, 1)
      const locked = yield* Deferred.make<void>()
      const hasBegun = yield* Deferred.make<void>()
      const taken = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT seq FROM history_pipe WHERE pipe_id = ${lawPipeId} FOR UPDATE`
          yield* Deferred.succeed(locked, undefined)
          yield* Deferred.await(hasBegun)
          return yield* noteBy(yield* ledger.take(lawPipeId))
        })
      )
      const other = yield* Effect.forkChild(taken)
      yield* Deferred.await(locked)
      const late = yield* Effect.forkChild(noteBy(one))
      // The statement of the first mover waits for the lock, and has seen the pipe as its own.
      const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
      while ((yield* waiting).length === 0) yield* Effect.sleep("20 millis")
      yield* Deferred.succeed(hasBegun, undefined)
      assert.strictEqual((yield* Fiber.join(other)).size, 1)
      assert.strictEqual((yield* Fiber.join(late)).size, 0)
    }).pipe(Effect.scoped)
  )
})
