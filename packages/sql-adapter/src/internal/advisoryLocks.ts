import type { OrganizationId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { LockTimeoutError, SqlError } from "effect/sql/SqlError"

// How servers over one database take turns: by Postgres's advisory locks, each held until its transaction ends. SQLite
// has one writer at a time anyway.

/** "head" in ASCII: what else runs in the database has other numbers. */
const namespace = 0x68656164
const migrations = 1
const imports = 2

/** Ends when it is this transaction's turn. */
type Turn = Effect.Effect<void, SqlError>

/** Waits until no other transaction works on this organization's keys. */
export const lockOrganization = (sql: SqlClient.SqlClient, organizationId: OrganizationId): Turn =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.asVoid(sql`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${organizationId}, ${namespace}))`),
    orElse: () => Effect.void
  })

/** Waits until no other transaction imports: two that bring the same things in another order would wait in a circle. */
export const lockImports = (sql: SqlClient.SqlClient): Turn =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT 1 FROM pg_advisory_xact_lock(${namespace}, ${imports})`),
    orElse: () => Effect.void
  })

const stillMigrating = () => {
  const message = "another server has been migrating the database for a minute: wait until it is done"
  return new SqlError({ reason: new LockTimeoutError({ cause: new Error(message), message, operation: "migrate" }) })
}

/**
 * Waits until no other transaction migrates, for a minute at most. It asks again and again, since migrations may take
 * longer than one statement may wait.
 */
export const lockMigrations = (sql: SqlClient.SqlClient): Turn =>
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
