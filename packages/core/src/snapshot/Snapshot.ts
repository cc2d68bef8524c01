import * as Schema from "effect/Schema"
import { IpAccessListEntryCreate } from "../access/IpAccessList.ts"
import { Token } from "../access/Tokens.ts"
import { OrganizationId, TokenId } from "../access/ids.ts"
import { Connection } from "../dashboard/Connections.ts"
import { Dashboard } from "../dashboard/Dashboard.ts"
import { DashboardSource } from "../dashboard/DashboardSources.ts"
import { CredentialHash, HashData } from "../key/ApiKeyCreate.ts"
import { Role } from "../key/Role.ts"
import { ApiKeyId, ApiKeyState, RoleId, SystemRole } from "../key/ids.ts"
import { Pipe } from "../pipe/Pipe.ts"
import { ServiceId } from "../pipe/ids.ts"
import { CdcReplicaSize } from "../service/CdcScaling.ts"
import { ReversePrivateEndpoint } from "../service/ReversePrivateEndpoint.ts"
import { serviceSettings } from "../service/Service.ts"
import { ServiceState } from "../service/serviceLifecycle.ts"
import { secretText } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"

/**
 * An API key in a snapshot, with the hashes of its credentials: the `hashData` of `makeCredentials`. Its access list is
 * checked as in a request.
 */
export const SnapshotKey = Schema.Struct({
  /** Absent: one is assigned. An import finds an existing key by `hashData.keyIdHash`. */
  id: Schema.optionalKey(ApiKeyId),
  name: Schema.String,
  /** Absent: no permissions, as in a request. */
  roles: Schema.optionalKey(Schema.Array(SystemRole)),
  /** The ids of all roles of a key with custom roles. Together with `roles`, both name the same system roles. */
  assignedRoleIds: Schema.optionalKey(Schema.Array(RoleId)),
  state: Schema.optionalKey(ApiKeyState),
  createdAt: Schema.optionalKey(Timestamp),
  usedAt: Schema.optionalKey(Timestamp),
  expireAt: Schema.optionalKey(Schema.NullOr(Timestamp)),
  ipAccessList: Schema.optionalKey(Schema.NullOr(Schema.Array(IpAccessListEntryCreate))),
  hashData: HashData
})
export type SnapshotKey = typeof SnapshotKey.Type

/** A bearer token in a snapshot, with its hash, which `hashCredential` makes. */
export const SnapshotToken = Schema.Struct({
  /** Absent: one is assigned. An import finds an existing token by `tokenHash`. */
  id: Schema.optionalKey(TokenId),
  name: Token.schema.fields.name,
  createdAt: Schema.optionalKey(Timestamp),
  /** base64(sha256(token)). */
  tokenHash: CredentialHash
})
export type SnapshotToken = typeof SnapshotToken.Type

/** A connection in a snapshot. An import takes a password; an export has none here. */
export const SnapshotConnection = looseStruct({
  ...Connection.schema.fields,
  password: nullish(secretText("password"), "The password of the user.")
})
export type SnapshotConnection = typeof SnapshotConnection.Type

/**
 * The secrets of a snapshot, by `pipeSecretName` and `connectionSecretName`. They are apart from the resources, so
 * that a snapshot without them is the same document.
 */
export const SnapshotSecrets = Schema.Struct({
  /** The fingerprint of the key that the values are sealed with. Absent: they are not sealed, as from a store in memory. */
  sealingKey: Schema.optionalKey(Schema.String),
  /** What is sealed is the text of a password or a connection string, and the JSON text of other credentials. */
  values: Schema.Record(Schema.String, secretText("secret"))
})
export type SnapshotSecrets = typeof SnapshotSecrets.Type

const serviceSnapshot = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    id: ServiceId,
    name: Schema.String,
    /** Absent: `running`. A service that is imported in a passing state goes on from the import. */
    state: Schema.optionalKey(ServiceState),
    ...serviceSettings,
    /** Absent: nobody has changed it. */
    cdcScaling: Schema.optionalKey(CdcReplicaSize),
    reversePrivateEndpoints: Schema.optionalKey(Schema.Array(ReversePrivateEndpoint)),
    pipes: Schema.optionalKey(Schema.Array(pipe))
  })

const organizationSnapshot = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    id: OrganizationId,
    name: Schema.String,
    /** Absent: the time of the import. */
    createdAt: Schema.optionalKey(Timestamp),
    services: Schema.optionalKey(Schema.Array(serviceSnapshot(pipe))),
    /** The custom roles. */
    roles: Schema.optionalKey(Schema.Array(Role)),
    keys: Schema.optionalKey(Schema.Array(SnapshotKey)),
    tokens: Schema.optionalKey(Schema.Array(SnapshotToken)),
    dashboards: Schema.optionalKey(Schema.Array(Dashboard)),
    connections: Schema.optionalKey(Schema.Array(SnapshotConnection)),
    sources: Schema.optionalKey(Schema.Array(DashboardSource))
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
    organizations: Schema.Array(organizationSnapshot(pipe)),
    /** Absent: the pipes and connections have the secrets that are in them, or none. */
    secrets: Schema.optionalKey(SnapshotSecrets)
  })

/**
 * The whole content of a store as one document: organizations with their services, pipes, keys, tokens, dashboards, connections
 * and sources. It holds hashes of keys and tokens. Credentials of pipes and connections are in `secrets`, or nowhere. An import
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
