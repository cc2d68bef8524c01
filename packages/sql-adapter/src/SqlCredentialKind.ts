import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Whether a store was made to take published credentials for tests, or only its own. */
export type CredentialKind = "own" | "test"

const keep = Effect.fnUntraced(function* (
  wanted: CredentialKind
): Effect.fn.Return<CredentialKind, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  // In one statement: of servers that start together over a new store the first decides.
  yield* sql`INSERT INTO store_setting (name, value)
    SELECT 'credentials', CASE WHEN EXISTS (SELECT 1 FROM organization) THEN 'own' ELSE ${wanted} END
    WHERE true ON CONFLICT (name) DO NOTHING`
  const [kept] = yield* sql<{ readonly value: CredentialKind }>`
    SELECT value FROM store_setting WHERE name = 'credentials'`
  return kept?.value ?? "own"
})

const forget = Effect.fnUntraced(function* (
  kind: CredentialKind
): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    // Another server may have begun with it.
    pg: () => Effect.void,
    orElse: () => sql`DELETE FROM store_setting
      WHERE name = 'credentials' AND value = ${kind} AND NOT EXISTS (SELECT 1 FROM organization)`
  })
})

/**
 * The kind of credentials that a store takes. `keep` makes a store without organizations one of this kind if it has none yet, one with
 * organizations `own`, and returns the kind of the store. `forget` undoes it in a SQLite database without organizations, which has one
 * server: a first start that failed decides nothing there. Both fail with a `SqlError` in an outage.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlCredentialKind, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * const kept = Effect.all([SqlMigrations.migrate, SqlCredentialKind.keep("test"), SqlCredentialKind.keep("own")])
 * const [, first, second] = await Effect.runPromise(
 *   Effect.provide(kept, NodeSqlite.layer({ filename: ":memory:" }))
 * )
 * console.log(first, second) // test test
 * ```
 */
export const SqlCredentialKind = { keep, forget }
