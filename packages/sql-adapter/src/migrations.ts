import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createTables } from "./internal/createTables.ts"
import { migrationTurn, writing } from "./internal/turns.ts"

/** What has run is in the table `headgate_migrations`. A migration that was released is never edited: add the next. */
const migrations = { "0001_create_tables": createTables }

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "headgate_migrations" })

const newest = Object.keys(migrations).length

/** A newer version may have moved what this one would read or write: it must not try. */
const refuseNewer = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM headgate_migrations`
  if (row === undefined || row.id <= newest) return
  return yield* new Migrator.MigrationError({
    kind: "BadState",
    message: `a newer version has changed its tables (to ${row.id}, this version knows ${newest}): upgrade, or restore a backup`
  })
})

const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // In SQLite the migrator's own transaction is turn enough.
  const applied = yield* sql.onDialectOrElse({
    pg: () => writing(sql)(Effect.andThen(migrationTurn(sql), run)),
    orElse: () => run
  })
  yield* refuseNewer(sql)
  return applied
})

const layer: Layer.Layer<never, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Layer.effectDiscard(migrate)

/**
 * Brings the tables up to date as the layer is built, in one transaction. Servers that start at once take turns: the
 * second finds the work done. Fails on tables that a newer version has changed. `migrate` is the same as an effect,
 * which answers what it ran.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * const migrate = SqlMigrations.migrate.pipe(Effect.provide(NodeSqlite.layer({ filename: ":memory:" })))
 * console.log(await Effect.runPromise(migrate)) // [ [ 1, 'create_tables' ] ]
 * ```
 */
export const SqlMigrations = { layer, migrate }
