import type * as Duration from "effect/Duration"
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

const timedOut = (operation: string) => {
  const message = `another server holds the lock of the operation "${operation}": wait until it is done`
  return new SqlError({ reason: new LockTimeoutError({ cause: new Error(message), message, operation }) })
}

/**
 * Waits for a lock for `duration` at most. It polls, because its holder may take longer than the lock timeout of a
 * statement.
 */
const poll = (sql: SqlClient.SqlClient, operation: string, lock: number, duration: Duration.Input): Lock =>
  sql.onDialectOrElse({
    pg: () =>
      sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(${namespace}, ${lock}) AS mine`.pipe(
        Effect.filterOrFail(
          ([row]) => row?.mine === true,
          () => timedOut(operation)
        ),
        Effect.retry({
          while: ({ reason }) => reason._tag === "LockTimeoutError",
          schedule: Schedule.upTo(Schedule.spaced("50 millis"), { duration })
        }),
        Effect.asVoid
      ),
    orElse: () => Effect.void
  })

/** Locks migrations; waits for a minute at most. */
export const lockMigrations = (sql: SqlClient.SqlClient): Lock => poll(sql, "migrate", migrations, "1 minute")

/** Locks imports: two that insert the same rows in another order would deadlock. Waits for ten minutes at most. */
export const lockImports = (sql: SqlClient.SqlClient): Lock => poll(sql, "import", imports, "10 minutes")
