import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { lockMigrations } from "./internal/advisoryLocks.ts"
import { addDocumentVersions } from "./internal/addDocumentVersions.ts"
import { addPipeChanges, resetLaterChanges } from "./internal/addPipeChanges.ts"
import { addPipeCredentials } from "./internal/addPipeCredentials.ts"
import { addPipeProgress } from "./internal/addPipeProgress.ts"
import { addPipeWarehouse } from "./internal/addPipeWarehouse.ts"
import { addSealing } from "./internal/addSealing.ts"
import { addTokenGrants } from "./internal/addTokenGrants.ts"
import { addVersions } from "./internal/addVersions.ts"
import { countUsage } from "./internal/countUsage.ts"
import { createConsoleTables } from "./internal/createConsoleTables.ts"
import { createCleanups } from "./internal/createCleanups.ts"
import { createDocuments, createDocumentStores } from "./internal/createDocumentStores.ts"
import { createDashboardSources } from "./internal/createDashboardSources.ts"
import { createHistory } from "./internal/createHistory.ts"
import { createLeases } from "./internal/createLeases.ts"
import {
  addDelivered,
  addDoneDetail,
  addInsertsBefore,
  addRejected,
  addStaging,
  addTables,
  createLedger,
  extendLedger,
  recordObjects
} from "./internal/createLedger.ts"
import { createPipeEvents } from "./internal/createPipeEvents.ts"
import { createPipeTables } from "./internal/createPipeTables.ts"
import { createRoles } from "./internal/createRoles.ts"
import { createSessions } from "./internal/createSessions.ts"
import { createTables } from "./internal/createTables.ts"
import { extendServices } from "./internal/extendServices.ts"
import { claimDeletedPipes, indexDeletedPipes, keepDeletedPipes } from "./internal/keepDeletedPipes.ts"
import { createStoreSettings } from "./internal/tilesKind.ts"
import { ownTransaction } from "./internal/transaction.ts"

/** The table `headgate_migrations` holds those that have run. Never edit a released migration: add another. */
export const migrations = {
  "0001_create_tables": createTables,
  "0002_count_usage": countUsage,
  "0003_add_versions": addVersions,
  "0004_create_roles": createRoles,
  "0005_extend_services": extendServices,
  "0006_add_pipe_progress": addPipeProgress,
  "0007_add_sealing": addSealing,
  "0008_create_dashboard_sources": createDashboardSources,
  "0009_create_store_settings": createStoreSettings,
  "0010_add_pipe_credentials": addPipeCredentials,
  "0011_add_document_versions": addDocumentVersions,
  "0012_create_ledger": createLedger,
  "0013_create_document_stores": createDocumentStores,
  "0014_add_staging": addStaging,
  "0015_add_pipe_warehouse": addPipeWarehouse,
  "0016_create_cleanups": createCleanups,
  "0017_create_leases": createLeases,
  "0018_keep_deleted_pipes": keepDeletedPipes,
  "0019_add_inserts_before": addInsertsBefore,
  "0020_index_deleted_pipes": indexDeletedPipes,
  "0021_claim_deleted_pipes": claimDeletedPipes,
  "0022_add_done_detail": addDoneDetail,
  "0023_add_rejected": addRejected,
  "0024_record_objects": recordObjects,
  "0025_add_delivered": addDelivered,
  "0026_add_tables": addTables,
  "0027_create_dashboard_roles": createDocuments("dashboard_role", "dashboard_roles"),
  "0028_add_pipe_changes": addPipeChanges,
  "0029_create_sessions": createSessions,
  "0030_extend_ledger": extendLedger,
  "0031_create_pipe_events": createPipeEvents,
  "0032_create_history": createHistory,
  "0033_add_token_grants": addTokenGrants,
  "0034_create_pipe_tables": createPipeTables,
  "0035_create_console_tables": createConsoleTables
}

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "headgate_migrations" })

const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name)))

const alone =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    sql.onDialectOrElse({
      pg: () => ownTransaction(sql)(Effect.andThen(lockMigrations(sql), effect)),
      orElse: (): Effect.Effect<A, E | SqlError, R> => effect
    })

/** Fails if a newer version has migrated the database: this version does not know its tables. */
const refuseNewer = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM headgate_migrations`
  if (row === undefined || row.id <= newest) return
  return yield* new Migrator.MigrationError({
    kind: "BadState",
    message: `a newer version has changed its tables (to ${row.id}, this version knows ${newest}): upgrade, or restore a backup`
  })
})

/**
 * Migrations lock tables that servers of the version before use, some of which lock them in another order: Postgres then ends one of the
 * transactions, and nothing of it stays.
 */
const isDeadlock = (error: Migrator.MigrationError | SqlError): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return isSqlError(cause) && (cause.reason._tag === "DeadlockError" || cause.reason._tag === "LockTimeoutError")
}

const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // In SQLite the migrator's own transaction excludes other writers. `node:sqlite` waits for it without leaving the thread, so another
  // connection of this process would wait in vain if the fiber that holds the lock yielded.
  const applied = yield* alone(sql)(Effect.provideService(run, References.PreventSchedulerYield, true)).pipe(
    Effect.retry({ while: isDeadlock, schedule: Schedule.recurs(10) })
  )
  yield* refuseNewer(sql)
  yield* resetLaterChanges(sql)
  return applied
})

const layer: Layer.Layer<never, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Layer.effectDiscard(migrate)

/**
 * Migrates the tables, in one transaction, when the layer is built. Servers that start at the same time migrate once.
 * Fails with a `MigrationError` if a newer version has migrated the database. `migrate` is the same as an effect; it
 * returns the ids and names of the migrations that it ran. `alone` runs an effect over Postgres in a transaction in which no other
 * server migrates or runs one so; over SQLite it runs it as it is.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * const migrate = SqlMigrations.migrate.pipe(Effect.provide(NodeSqlite.layer({ filename: ":memory:" })))
 * const applied = await Effect.runPromise(migrate)
 * console.log(applied[0]) // [ 1, 'create_tables' ]
 * ```
 */
export const SqlMigrations = { alone, layer, migrate }
