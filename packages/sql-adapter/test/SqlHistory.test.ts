import { History, Ledger } from "@headgate/mover"
import { historyLaws, type HistoryUnderTest, lawPipeId, otherPipeId } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Postgres, SqlAdapter } from "../src/index.ts"
import { SqlHistory, SqlLedger } from "../src/mover/index.ts"
import { insertPipes } from "./support/ledgers.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

/** A history in a new database. */
const makeIn = Effect.fnUntraced(function* <E>(store: Layer.Layer<SqlClient.SqlClient, E>) {
  const context = yield* Layer.build(
    Layer.provideMerge(Layer.merge(SqlHistory.layer, SqlLedger.layer), Layer.fresh(store))
  )
  yield* Effect.provideContext(insertPipes(lawPipeId, otherPipeId), context)
  const sql = Context.get(context, SqlClient.SqlClient)
  return { history: Context.get(context, History), ledger: Context.get(context, Ledger), sql }
})

historyLaws({ name: "SQLite in memory", make: makeIn(SqlAdapter.layerSqlite({ filename: ":memory:" })) })
historyLaws({ name: "SQLite file", make: makeIn(layerTemporary()), runs: 1 })

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
})
