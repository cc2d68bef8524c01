import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RunWrite } from "./GroupCommit.ts"
import { sqliteDrivers } from "./SqliteConnection.ts"

/**
 * Runs the effect in a transaction of its own. In Postgres each statement sees what was committed before it began,
 * whatever the database's default is: a statement after an advisory lock must see the writes of the lock's last holder.
 */
export const ownTransaction =
  (sql: SqlClient.SqlClient): RunWrite =>
  (effect) =>
    sql.onDialectOrElse({
      pg: () =>
        sql
          .withTransaction(effect)
          .pipe(Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL READ COMMITTED")),
      orElse: () => sql.withTransaction(effect)
    })

/** Runs statements that only read, as of one moment. In SQLite, no writer waits for them. */
export const readTransaction = (sql: SqlClient.SqlClient): RunWrite => {
  const begin = sql.onDialectOrElse({
    pg: () => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    orElse: () => "BEGIN DEFERRED"
  })
  return (effect) => sql.withTransaction(effect).pipe(Effect.provideService(SqlClient.BeginTransaction, begin))
}

/** Runs the statements as one write: by group commit over `NodeSqlite`, else in a transaction. */
export const writeTransaction = (sql: SqlClient.SqlClient): RunWrite =>
  sqliteDrivers.get(sql)?.runWrite ?? ownTransaction(sql)

/** Runs one statement that writes: by group commit over `NodeSqlite`, else by itself. */
export const writeStatement = (sql: SqlClient.SqlClient): RunWrite => sqliteDrivers.get(sql)?.runWrite ?? identity

/** At the end of a SELECT: no other transaction changes the rows until this one ends. SQLite has one writer at a time. */
export const forUpdate = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql`FOR UPDATE`, orElse: () => sql`` })

/** As {@link forUpdate}, for rows whose key stays: what refers to them can be created meanwhile. */
export const forNoKeyUpdate = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql`FOR NO KEY UPDATE`, orElse: () => sql`` })

/** As {@link forUpdate}, but only deletions of the rows wait: what refers to them can be created. */
export const forKeyShare = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql`FOR KEY SHARE`, orElse: () => sql`` })
