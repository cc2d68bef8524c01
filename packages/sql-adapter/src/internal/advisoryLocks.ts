import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { LockTimeoutError, SqlError } from "effect/sql/SqlError"

// Postgres's advisory locks, each held until its transaction ends. SQLite needs none: it has one writer at a time.

/** "head" in ASCII, so that other programs in the database use other numbers. */
const namespace = 0x68656164
const migrations = 1
const imports = 2

/** Succeeds once the current transaction holds the lock. */
type Lock = Effect.Effect<void, SqlError>

/** Locks imports: two that insert the same rows in another order would deadlock. */
export const lockImports = (sql: SqlClient.SqlClient): Lock =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT 1 FROM pg_advisory_xact_lock(${namespace}, ${imports})`),
    orElse: () => Effect.void
  })

const stillMigrating = () => {
  const message = "another server has been migrating the database for a minute: wait until it is done"
  return new SqlError({ reason: new LockTimeoutError({ cause: new Error(message), message, operation: "migrate" }) })
}

/**
 * Locks migrations; waits for a minute at most. It polls, because a migration may take longer than the lock timeout of a
 * statement.
 */
export const lockMigrations = (sql: SqlClient.SqlClient): Lock =>
  sql.onDialectOrElse({
    pg: () =>
      sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(${namespace}, ${migrations}) AS mine`.pipe(
        Effect.filterOrFail(([row]) => row?.mine === true, stillMigrating),
        Effect.retry({
          while: ({ reason }) => reason._tag === "LockTimeoutError",
          schedule: Schedule.upTo(Schedule.spaced("50 millis"), { duration: "1 minute" })
        }),
        Effect.asVoid
      ),
    orElse: () => Effect.void
  })
