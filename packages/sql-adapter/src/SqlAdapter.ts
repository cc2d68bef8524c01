import {
  type ApiKeys,
  Dashboards,
  type OrganizationId,
  type Organizations,
  type Pipes,
  type Services,
  type Snapshots
} from "@headgate/core"
import {
  type Authenticator,
  OrganizationDashboards,
  type PipeSimulation,
  type StoredApiKeys,
  type StoredServices,
  type Tokens
} from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { NodeSqlite, type NodeSqliteOptions } from "./NodeSqlite.ts"
import { Postgres, type PostgresOptions } from "./Postgres.ts"
import { SqlMigrations } from "./SqlMigrations.ts"
import { StoredDocuments } from "./StoredDocuments.ts"
import { SqlAuthenticator } from "./access/SqlAuthenticator.ts"
import { SqlTokens } from "./access/SqlTokens.ts"
import { SqlDashboards } from "./dashboard/SqlDashboards.ts"
import { SqlApiKeys } from "./key/SqlApiKeys.ts"
import { SqlStoredApiKeys } from "./key/SqlStoredApiKeys.ts"
import { SqlOrganizations } from "./organization/SqlOrganizations.ts"
import { layerSimulation } from "./pipe/PipeRow.ts"
import { SqlPipes } from "./pipe/SqlPipes.ts"
import { SqlServices } from "./service/SqlServices.ts"
import { SqlSnapshots } from "./snapshot/SqlSnapshots.ts"

/** Every port of the adapter. `Dashboards` belongs to one organization: {@link SqlAdapter}`.layerDashboards`. */
export type SqlPorts =
  | ApiKeys
  | Authenticator
  | OrganizationDashboards
  | Organizations
  | Pipes
  | Services
  | PipeSimulation
  | Snapshots
  | StoredApiKeys
  | StoredDocuments
  | StoredServices
  | Tokens

const layerNoDeps: Layer.Layer<
  SqlPorts,
  MigrationError | SqlError,
  SqlClient | Digest.Digest | SecureRandom.SecureRandom
> = Layer.mergeAll(
  SqlApiKeys.layer,
  SqlAuthenticator.layer,
  SqlDashboards.layer,
  StoredDocuments.layer,
  SqlOrganizations.layer,
  SqlPipes.layer,
  SqlServices.layer,
  SqlServices.layerStored,
  layerSimulation,
  SqlSnapshots.layer,
  SqlStoredApiKeys.layer,
  SqlTokens.layer
).pipe(Layer.provide(SqlMigrations.layer))

const layer: Layer.Layer<SqlPorts, MigrationError | SqlError, SqlClient> = Layer.provide(layerNoDeps, [
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
])

const layerSqlite = (options: NodeSqliteOptions): Layer.Layer<SqlPorts | SqlClient, MigrationError | SqlError> =>
  Layer.provideMerge(layer, NodeSqlite.layer(options))

const layerPostgres = (options: PostgresOptions): Layer.Layer<SqlPorts | SqlClient, MigrationError | SqlError> =>
  Layer.provideMerge(layer, Postgres.layer(options))

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
 * - `layer` works over any `SqlClient`; `layerNoDeps` also takes the cryptography.
 * - `layerDashboards` is the `Dashboards` port of one organization.
 *
 * An outage of the database is a `ServerError`. Ports whose methods cannot fail with one (`Authenticator`, `Snapshots`,
 * `StoredApiKeys`, `Tokens`) die with it.
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
export const SqlAdapter = { layer, layerDashboards, layerNoDeps, layerPostgres, layerSqlite }
