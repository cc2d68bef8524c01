import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { IpAccessListEntryCreate } from "../access/IpAccessList.ts"
import { TokenGrant } from "../access/Principal.ts"
import { Token } from "../access/Tokens.ts"
import { OrganizationId } from "../id/organization.ts"
import { TokenId } from "../id/token.ts"
import { Connection } from "../dashboard/Connections.ts"
import { Dashboard } from "../dashboard/Dashboard.ts"
import { DashboardSource } from "../dashboard/DashboardSources.ts"
import { type DocumentKindName, documentKinds } from "../dashboard/documentKinds.ts"
import { CredentialHash, HashData } from "../key/ApiKeyCreate.ts"
import { Role } from "../key/Role.ts"
import { ApiKeyState } from "../key/ApiKeyState.ts"
import { ApiKeyId } from "../id/key.ts"
import { RoleId, SystemRole } from "../id/role.ts"
import { Pipe } from "../pipe/Pipe.ts"
import { ServiceId } from "../id/service.ts"
import { CdcReplicaSize } from "../service/CdcScaling.ts"
import { ReversePrivateEndpoint } from "../service/ReversePrivateEndpoint.ts"
import { serviceSettings } from "../service/Service.ts"
import { ServiceState } from "../service/serviceLifecycle.ts"
import { secretText } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"

/** A required field and its description. The schema itself stays as it is, with its decoder. */
const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description })

/** A field that may be absent, and its description. */
const optional = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

/**
 * An API key in a snapshot, with the hashes of its credentials: the `hashData` of `makeCredentials`. Its access list is
 * checked as in a request.
 */
export const SnapshotKey = Schema.Struct({
  id: optional(
    ApiKeyId,
    "The id of the key, a UUID. Absent: one is assigned. An import finds an existing key by `hashData.keyIdHash`."
  ),
  name: described(Schema.String, "The name of the key."),
  roles: optional(Schema.Array(SystemRole), "The system roles of the key. Absent: no permissions, as in a request."),
  assignedRoleIds: optional(
    Schema.Array(RoleId),
    "The ids of all roles of a key with custom roles. Together with `roles`, both name the same system roles."
  ),
  state: optional(ApiKeyState, "The state of the key. Absent: `enabled`."),
  createdAt: optional(Timestamp, "The time at which the key was created. Absent: the time of the import."),
  usedAt: optional(Timestamp, "The time at which the key was last used. Absent: never."),
  expireAt: optional(
    Schema.NullOr(Timestamp),
    "The time from which the key is rejected. Absent or `null`: the key never expires."
  ),
  ipAccessList: optional(
    Schema.NullOr(Schema.Array(IpAccessListEntryCreate)),
    "The addresses that may use the key. Absent or `null`: any address. An empty list: none."
  ),
  hashData: described(HashData, "The hashes of the credentials of the key.")
})
export type SnapshotKey = typeof SnapshotKey.Type

/** A bearer token in a snapshot, with its hash, which `hashCredential` makes. */
export const SnapshotToken = Schema.Struct({
  id: optional(
    TokenId,
    "The id of the token, a UUID. Absent: one is assigned. An import finds an existing token by `tokenHash`."
  ),
  name: described(Token.schema.fields.name, "The name of the token."),
  createdAt: optional(Timestamp, "The time at which the token was created. Absent: the time of the import."),
  tokenHash: described(CredentialHash, "The base64 of the SHA-256 digest of the token."),
  grants: optional(Schema.Array(TokenGrant), "The permissions that were granted to the token. Absent: none.")
})
export type SnapshotToken = typeof SnapshotToken.Type

/** A connection in a snapshot. An import takes a password; an export has none here. */
const SnapshotConnection = looseStruct({
  ...Connection.schema.fields,
  password: nullish(secretText("password"), "The password of the user.")
})

/**
 * The secrets of a snapshot, by `pipeSecretName`, `connectionSecretName` and `documentSecretName`. They are apart from the resources, so
 * that a snapshot without them is the same document.
 */
export const SnapshotSecrets = Schema.Struct({
  sealingKey: optional(
    Schema.String,
    "The fingerprint of the key that the values are sealed with. Absent: they are not sealed, as from a store in memory."
  ),
  values: described(
    Schema.Record(Schema.String, secretText("secret")),
    "The secrets by name: the text of a password or a connection string, and the JSON text of other credentials."
  )
})
export type SnapshotSecrets = typeof SnapshotSecrets.Type

const serviceSnapshot = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    id: ServiceId,
    name: described(Schema.String, "The name of the service."),
    state: optional(
      ServiceState,
      "The state of the service. Absent: `running`. A service that is imported in a passing state goes on from the import."
    ),
    ...serviceSettings,
    cdcScaling: optional(
      CdcReplicaSize,
      "The size of the replica that its database pipes share. Absent: nobody has changed it."
    ),
    reversePrivateEndpoints: optional(
      Schema.Array(ReversePrivateEndpoint),
      "The reverse private endpoints of the service."
    ),
    pipes: optional(Schema.Array(pipe), "The pipes of the service.")
  })

type DocumentFields = {
  readonly [Name in DocumentKindName]: Schema.optionalKey<Schema.$Array<(typeof documentKinds)[Name]["Document"]>>
}

/** A list for each kind of documents. */
const documentFields: DocumentFields = Object.assign(
  {},
  ...Struct.keys(documentKinds).map((name) => {
    const { description, Document } = documentKinds[name]
    return { [name]: optional(Schema.Array<Schema.Constraint>(Document), description) }
  })
)

const organizationSnapshot = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    id: OrganizationId,
    name: described(Schema.String, "The name of the organization."),
    createdAt: optional(Timestamp, "The time at which the organization was created. Absent: the time of the import."),
    services: optional(Schema.Array(serviceSnapshot(pipe)), "The services of the organization."),
    roles: optional(Schema.Array(Role), "The custom roles."),
    keys: optional(Schema.Array(SnapshotKey), "The API keys, with hashes of their credentials."),
    tokens: optional(Schema.Array(SnapshotToken), "The bearer tokens, as hashes."),
    dashboards: optional(Schema.Array(Dashboard), "The dashboards."),
    connections: optional(Schema.Array(SnapshotConnection), "The connections of dashboards to databases."),
    sources: optional(Schema.Array(DashboardSource), "The data sources of dashboards."),
    ...documentFields
  })

/**
 * The schema of a snapshot with this schema of pipes. `snapshotCodec` of `@headgate/http-contract` uses it for dialects.
 *
 * @example
 * ```ts
 * import { PipeId, PipeState } from "@headgate/core"
 * import { snapshotOf } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * // Reads an export for a report: three fields of each pipe, and no connection string.
 * const Inventory = snapshotOf(Schema.Struct({ id: PipeId, name: Schema.String, state: PipeState }))
 * export const readInventory = Schema.decodeEffect(Schema.fromJsonString(Inventory))
 * ```
 */
export const snapshotOf = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    organizations: described(Schema.Array(organizationSnapshot(pipe)), "The organizations."),
    secrets: optional(
      SnapshotSecrets,
      "The sealed secrets. Absent: the pipes, connections and webhooks have the secrets that are in them, or none."
    )
  })

/**
 * The whole content of a store as one document: organizations with their services, pipes, keys, tokens, dashboards, connections,
 * sources, saved searches, webhooks, alerts and roles of dashboards. It holds hashes of keys and tokens. Credentials of pipes, connections and webhooks are in `secrets`, or nowhere. An import
 * also takes them in plain text in their fields, such as `source.kafka.credentials` and `password`; encoding a snapshot that was
 * read so writes them in plain text. `headgate-server export` writes it, `--import` reads it, and tests fill an adapter with it.
 *
 * @example
 * ```ts
 * import { Snapshot } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * const serviceId = "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"
 * const pipe = { id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f", serviceId, name: "orders", state: "Running" }
 *
 * export const snapshot = Schema.decodeUnknownSync(Snapshot)({
 *   organizations: [
 *     {
 *       id: "1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21",
 *       name: "Acme",
 *       services: [{ id: serviceId, name: "ingest", pipes: [pipe] }]
 *     }
 *   ]
 * })
 * ```
 */
export const Snapshot = snapshotOf(Pipe)
export type Snapshot = typeof Snapshot.Type
/** One organization of a {@link Snapshot}. */
export type OrganizationSnapshot = Snapshot["organizations"][number]
