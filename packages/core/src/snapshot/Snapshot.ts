import * as Schema from "effect/Schema"
import { IpAccessListEntryCreate } from "../access/IpAccessList.ts"
import { Token } from "../access/Tokens.ts"
import { OrganizationId, TokenId } from "../access/ids.ts"
import { Dashboard } from "../dashboard/Dashboard.ts"
import { CredentialHash, HashData } from "../key/ApiKeyCreate.ts"
import { ApiKeyId, ApiKeyState, Role } from "../key/ids.ts"
import { Pipe } from "../pipe/Pipe.ts"
import { ServiceId } from "../pipe/ids.ts"
import { Timestamp } from "../schema/Timestamp.ts"

/**
 * An API key in a snapshot: its credentials only as hashes, its access list checked as on create. The hashes are what
 * `issueCredentials` gives as `hashData`.
 */
export const SnapshotKey = Schema.Struct({
  /** Absent: one is assigned. A key is known again by its `hashData.keyIdHash`. */
  id: Schema.optionalKey(ApiKeyId),
  name: Schema.String,
  roles: Schema.Array(Role),
  state: Schema.optionalKey(ApiKeyState),
  createdAt: Schema.optionalKey(Timestamp),
  usedAt: Schema.optionalKey(Timestamp),
  expireAt: Schema.optionalKey(Schema.NullOr(Timestamp)),
  ipAccessList: Schema.optionalKey(Schema.NullOr(Schema.Array(IpAccessListEntryCreate))),
  hashData: HashData
})
export type SnapshotKey = typeof SnapshotKey.Type

/** A bearer token in a snapshot: only its hash, as `hashCredential` makes it. */
export const SnapshotToken = Schema.Struct({
  /** Absent: one is assigned. A token is known again by its `tokenHash`. */
  id: Schema.optionalKey(TokenId),
  name: Token.schema.fields.name,
  createdAt: Schema.optionalKey(Timestamp),
  /** base64(sha256(token)). */
  tokenHash: CredentialHash
})
export type SnapshotToken = typeof SnapshotToken.Type

/** The fields of a service in a snapshot, for any schema of its pipes. */
const serviceSnapshot = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    id: ServiceId,
    name: Schema.String,
    pipes: Schema.optionalKey(Schema.Array(pipe))
  })

const organizationSnapshot = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({
    id: OrganizationId,
    name: Schema.String,
    services: Schema.optionalKey(Schema.Array(serviceSnapshot(pipe))),
    keys: Schema.optionalKey(Schema.Array(SnapshotKey)),
    tokens: Schema.optionalKey(Schema.Array(SnapshotToken)),
    dashboards: Schema.optionalKey(Schema.Array(Dashboard))
  })

/**
 * A snapshot whose pipes are written as `pipe` says: a dialect passes its own codec, as `snapshotCodec` of
 * `@headgate/http-contract` does.
 *
 * @example
 * ```ts
 * import { PipeId, PipeState } from "@headgate/core"
 * import { snapshotOf } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * // An export read for a report: of each pipe what is named here, and no connection string.
 * const Inventory = snapshotOf(Schema.Struct({ id: PipeId, name: Schema.String, state: PipeState }))
 * export const readInventory = Schema.decodeEffect(Schema.fromJsonString(Inventory))
 * ```
 */
export const snapshotOf = <P extends Schema.Constraint>(pipe: P) =>
  Schema.Struct({ organizations: Schema.Array(organizationSnapshot(pipe)) })

/**
 * The whole state of a service as one document: organizations with their services, pipes, keys, tokens and dashboards.
 * Of keys and tokens it holds only hashes; a pipe's `connectionString` is in it, in clear once it is encoded. It is
 * what `headgate-server export` writes and `--import` reads, and what a test fills an adapter with.
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
