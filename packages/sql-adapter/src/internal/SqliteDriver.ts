import type * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Row } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { RunWrite } from "./GroupCommit.ts"

/** What `NodeSqlite` offers the ports beyond `SqlClient`. */
export interface SqliteDriver {
  /** Runs a write by group commit. */
  readonly runWrite: RunWrite
  /** Whether a transaction is open on the connection. */
  readonly isTransaction: () => boolean
  /** Runs a SELECT on the connection and returns its first row. No transaction may be open. */
  readonly readFirst: (text: string, params: ReadonlyArray<unknown>) => Effect.Effect<Row | undefined, SqlError>
}

/** The driver of each client that `NodeSqlite` made; other clients have none. */
export const sqliteDrivers = new WeakMap<SqlClient, SqliteDriver>()
