import type { ApiKeys, Pipes, Snapshots } from "@headgate/core"
import type { Authenticator, OrganizationDashboards, StoredApiKeys, Tokens } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { NodeSqlite, type NodeSqliteOptions } from "./NodeSqlite.ts"
import { Postgres, type PostgresOptions } from "./Postgres.ts"
import { SqlAuthenticator } from "./access/SqlAuthenticator.ts"
import { SqlTokens } from "./access/SqlTokens.ts"
import { SqlDashboards } from "./dashboard/SqlDashboards.ts"
import { SqlApiKeys } from "./key/SqlApiKeys.ts"
import { SqlStoredApiKeys } from "./key/SqlStoredApiKeys.ts"
import { SqlMigrations } from "./migrations.ts"
import { StoredDocuments } from "./StoredDocuments.ts"
import { SqlPipes } from "./pipe/SqlPipes.ts"
import { SqlSnapshots } from "./snapshot/SqlSnapshots.ts"

/** Every port that the adapter has. `Dashboards` is one organization's: `SqlDashboards.layer(organizationId)`. */
export type SqlPorts =
  | ApiKeys
  | Authenticator
  | OrganizationDashboards
  | Pipes
  | Snapshots
  | StoredApiKeys
  | StoredDocuments
  | Tokens

const layerNoDeps: Layer.Layer<
  SqlPorts,
  MigrationError | SqlError,
  SqlClient | Digest.Digest | SecureRandom.SecureRandom
> = Layer.mergeAll(
  SqlApiKeys.layerNoDeps,
  SqlAuthenticator.layerNoDeps,
  SqlDashboards.layerByOrganizationNoDeps,
  StoredDocuments.layer,
  SqlPipes.layer,
  SqlSnapshots.layerNoDeps,
  SqlStoredApiKeys.layer,
  SqlTokens.layerNoDeps
).pipe(Layer.provide(SqlMigrations.layer))

const layer: Layer.Layer<SqlPorts, MigrationError | SqlError, SqlClient> = Layer.provide(layerNoDeps, [
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
])

const layerSqlite = (options: NodeSqliteOptions): Layer.Layer<SqlPorts | SqlClient, MigrationError | SqlError> =>
  Layer.provideMerge(layer, NodeSqlite.layer(options))

const layerPostgres = (options: PostgresOptions): Layer.Layer<SqlPorts | SqlClient, MigrationError | SqlError> =>
  Layer.provideMerge(layer, Postgres.layer(options))

/**
 * All ports over one database, its tables brought up to date first: `layer` over any `SqlClient`, `layerSqlite` over a
 * SQLite file and `layerPostgres` over a Postgres that several servers may share, with the `SqlClient` they opened.
 * `layerNoDeps` is `layer` that leaves the cryptography to the caller. They fail with a `SqlError` that says which
 * database cannot be used and why, or with a `MigrationError`.
 *
 * @example
 * ```ts
 * import { Snapshots } from "@headgate/core"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const organizations = Snapshots.use((snapshots) => snapshots.organizations)
 *
 * const embedded = SqlAdapter.layerSqlite({ filename: ":memory:" })
 * console.log(await Effect.runPromise(Effect.provide(organizations, embedded))) // []
 *
 * export const shared = SqlAdapter.layerPostgres({
 *   url: Redacted.make("postgres://headgate:...@db.example.com/headgate")
 * })
 * ```
 */
export const SqlAdapter = { layer, layerNoDeps, layerPostgres, layerSqlite }
