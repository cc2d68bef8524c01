import { Dashboards, type InvalidRequest, type OrganizationId } from "@headgate/core"
import { type IdempotentCreations, OrganizationDashboards, type Sealing, type StorePort } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type * as Redacted from "effect/Redacted"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { NodeSqlite, type NodeSqliteOptions } from "./NodeSqlite.ts"
import { Postgres, type PostgresOptions } from "./Postgres.ts"
import { SqlMigrations } from "./SqlMigrations.ts"
import { type SealingKeyError, SqlSealing } from "./SqlSealing.ts"
import { StoredDocuments } from "./StoredDocuments.ts"
import { SqlAuthenticator } from "./access/SqlAuthenticator.ts"
import { SqlConsoleSessions } from "./access/SqlConsoleSessions.ts"
import { SqlIdempotentCreations } from "./access/SqlIdempotentCreations.ts"
import { SqlTokens } from "./access/SqlTokens.ts"
import { SqlConnectionCredentials } from "./dashboard/SqlConnectionCredentials.ts"
import { SqlConnections } from "./dashboard/SqlConnections.ts"
import { SqlDashboards } from "./dashboard/SqlDashboards.ts"
import { SqlDocumentStores } from "./dashboard/SqlDocumentStores.ts"
import { SqlSources } from "./dashboard/SqlSources.ts"
import { SqlApiKeys } from "./key/SqlApiKeys.ts"
import { SqlOrganizations } from "./organization/SqlOrganizations.ts"
import { layerSimulation } from "./pipe/PipeRow.ts"
import { SqlRoles } from "./key/SqlRoles.ts"
import { SqlMovedPipes } from "./pipe/SqlMovedPipes.ts"
import { SqlPipes } from "./pipe/SqlPipes.ts"
import { SqlPipeTables } from "./pipe/SqlPipeTables.ts"
import { SqlCdcScaling } from "./service/SqlCdcScaling.ts"
import { SqlReversePrivateEndpoints } from "./service/SqlReversePrivateEndpoints.ts"
import { SqlServices } from "./service/SqlServices.ts"
import { SqlSnapshots } from "./snapshot/SqlSnapshots.ts"

/** Every port of the adapter. `Dashboards` belongs to one organization: {@link SqlAdapter}`.layerDashboards`. */
export type SqlPorts = StorePort | IdempotentCreations | StoredDocuments

const layerNoDeps: Layer.Layer<
  SqlPorts,
  MigrationError | SqlError,
  SqlClient | Sealing | Digest.Digest | SecureRandom.SecureRandom
> = Layer.mergeAll(
  SqlApiKeys.layer,
  SqlAuthenticator.layer,
  SqlConsoleSessions.layer,
  SqlIdempotentCreations.layer,
  SqlConnections.layer,
  SqlConnectionCredentials.layer,
  SqlDashboards.layer,
  SqlDocumentStores.layer,
  SqlSources.layer,
  StoredDocuments.layer,
  SqlOrganizations.layer,
  SqlPipes.layer,
  SqlPipeTables.layer,
  SqlServices.layer,
  SqlCdcScaling.layer,
  SqlReversePrivateEndpoints.layer,
  SqlServices.layerStored,
  layerSimulation,
  SqlMovedPipes.layer,
  SqlRoles.layer,
  SqlSnapshots.layer,
  SqlTokens.layer
).pipe(Layer.provide(SqlMigrations.layer))

type Errors = InvalidRequest | SealingKeyError | MigrationError | SqlError

const crypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

/** The ports with their cryptography, sealed with the key of a layer of `SqlSealing`. */
const sealedWith = (sealing: ReturnType<typeof SqlSealing.layer>): Layer.Layer<SqlPorts, Errors, SqlClient> =>
  layerNoDeps.pipe(Layer.provide(sealing), Layer.provide(crypto))

const layer = (sealingKey: Redacted.Redacted): Layer.Layer<SqlPorts, Errors, SqlClient> =>
  sealedWith(SqlSealing.layer(sealingKey))

/** The options of `SqlAdapter.layerSqlite`. */
export interface SqliteOptions extends NodeSqliteOptions {
  /** 32 random bytes in base64. Default: the key in `sealing.key` beside the database, which is made for a new one. */
  readonly sealingKey?: Redacted.Redacted
}

const layerSqlite = (options: SqliteOptions): Layer.Layer<SqlPorts | SqlClient, Errors> => {
  const { filename, sealingKey } = options
  const sealing = sealingKey === undefined ? SqlSealing.layerBeside(filename) : SqlSealing.layer(sealingKey)
  return Layer.provideMerge(sealedWith(sealing), NodeSqlite.layer(options))
}

/** The options of `SqlAdapter.layerPostgres`. */
export interface SealedPostgresOptions extends PostgresOptions {
  /** 32 random bytes in base64, the same for all servers of the database. */
  readonly sealingKey: Redacted.Redacted
}

const layerPostgres = (options: SealedPostgresOptions): Layer.Layer<SqlPorts | SqlClient, Errors> =>
  Layer.provideMerge(layer(options.sealingKey), Postgres.layer(options))

const layerDashboards = (organizationId: OrganizationId): Layer.Layer<Dashboards, never, OrganizationDashboards> =>
  Layer.effect(
    Dashboards,
    OrganizationDashboards.useSync((dashboards) => dashboards.of(organizationId))
  )

/**
 * All ports over one database. The tables are migrated when the layer is built.
 *
 * - `layerSqlite` opens a SQLite file, `layerPostgres` a Postgres database that several servers may share. Both also
 *   provide the `SqlClient`. They fail with a `SqlError` that says which database cannot be used and why, or with a
 *   `MigrationError`.
 *   Secrets of pipes are sealed ({@link SqlSealing}); another key than the store has is a `SealingKeyError`.
 * - `layer` works over any `SqlClient` with a sealing key; `layerNoDeps` also takes the cryptography.
 * - `layerDashboards` is the `Dashboards` port of one organization.
 *
 * Organizations come from an import (`Snapshots`); a creation in one that the store does not have is `Forbidden`, or
 * `ServiceNotFound` under a service.
 * An outage of the database is a `ServerError`. Ports whose methods cannot fail with one (`Authenticator`, `ConsoleSignIn`,
 * `Snapshots`, `Tokens`) die with it.
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
 * export const shared = (sealingKey: Redacted.Redacted) =>
 *   SqlAdapter.layerPostgres({ url: Redacted.make("postgres://headgate:...@db.example.com/headgate"), sealingKey })
 * ```
 */
export const SqlAdapter = { layer, layerDashboards, layerNoDeps, layerPostgres, layerSqlite }
