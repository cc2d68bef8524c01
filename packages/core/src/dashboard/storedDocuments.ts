import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { checkVersion, versionOf, withVersion } from "../access/Version.ts"
import type { OrganizationId } from "../id/organization.ts"
import { invalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { Connection, ConnectionCreate } from "./Connections.ts"
import { DashboardSource, DashboardSourceCreate } from "./DashboardSources.ts"
import { ConnectionId, SourceId } from "../id/dashboard.ts"

/** A connection as a store keeps it. Its password is apart from the document, so that no read can answer it. */
export interface ConnectionRecord {
  readonly organizationId: OrganizationId
  readonly connection: Connection
  readonly password?: Redacted.Redacted
}

/** A data source as a store keeps it. */
export interface SourceRecord {
  readonly organizationId: OrganizationId
  readonly source: DashboardSource
}

/** An id of 24 hex digits, as those of the service. */
export const objectId = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return Hex.encode(yield* random.randomBytes(12))
})

/** A document without the fields that are `null`. */
export const withoutNulls = (document: object) =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))

const maxPasswordLength = 4096

const validateFields = validate(ConnectionCreate)

const validateConnection = Effect.fnUntraced(function* (request: ConnectionCreate) {
  const valid = yield* validateFields(request)
  const { password } = valid
  if (Predicate.isNotNullish(password) && Redacted.value(password).length > maxPasswordLength) {
    return yield* invalidRequest([{ path: "password", message: `Expected at most ${maxPasswordLength} characters` }])
  }
  return valid
})

const validateSource = validate(DashboardSourceCreate)
const decodeConnection = Schema.decodeUnknownEffect(Connection)
const decodeSource = Schema.decodeUnknownEffect(DashboardSource)

/** The version of what replaces a stored document. Fails unless the stored one has the version of `IfMatch`. */
export const nextVersion = Effect.fnUntraced(function* (stored: object) {
  const version = versionOf(stored) ?? 1
  yield* checkVersion(version)
  return version + 1
})

/** What a request to replace a connection leaves as it is unless it names it, `null` for none. */
const keptFields = ["hyperdxSettingPrefix", "prometheusEndpoint"] as const

/** Splits the password from a valid request, which then is the document that is stored and answered. */
const splitCredentials = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  id: ConnectionId,
  version: number,
  { password, ...document }: ConnectionCreate,
  stored?: ConnectionRecord
) {
  const kept = password === undefined ? stored?.password : password
  const fields = { ...(stored === undefined ? {} : Struct.pick(stored.connection, keptFields)), ...document }
  // As in the service, an empty prefix is none.
  const named = fields.hyperdxSettingPrefix === "" ? Struct.omit(fields, ["hyperdxSettingPrefix"]) : fields
  const record: ConnectionRecord = {
    organizationId,
    connection: withVersion(yield* Effect.orDie(decodeConnection({ ...withoutNulls(named), id })), version),
    ...(Predicate.isNotNullish(kept) ? { password: kept } : {})
  }
  return record
})

/**
 * Makes a new connection from a request, with an id of 24 hex digits. Every adapter that stores connections uses this
 * rule. Fails with `InvalidRequest` when a field is wrong. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { connectionRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const request = { name: "production", host: "https://db.example.com:8443", password: Redacted.make("secret") }
 * // The password is beside the connection, which is what callers read.
 * export const recordOf = (organizationId: OrganizationId) =>
 *   Effect.map(connectionRules.make(organizationId, request), ({ connection, password }) => [connection.name, password])
 * ```
 */
const makeConnection = Effect.fnUntraced(function* (organizationId: OrganizationId, request: ConnectionCreate) {
  const valid = yield* validateConnection(request)
  return yield* splitCredentials(organizationId, ConnectionId.make(yield* objectId()), 1, valid)
})

/**
 * Validates a request to replace a connection. The result makes the record from the stored one, in the transaction of the
 * change, with its new version: a password, `hyperdxSettingPrefix` or `prometheusEndpoint` that is absent in the request stays,
 * `null` removes it. Fails as `connectionRules.make` does, and the result with `PreconditionFailed` if the stored one does not have the version of
 * `IfMatch`.
 *
 * @example
 * ```ts
 * import type { ConnectionCreate } from "@headgate/core"
 * import { type ConnectionRecord, connectionRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const replace = Effect.fn("replace")(function* (stored: ConnectionRecord, request: ConnectionCreate) {
 *   return yield* (yield* connectionRules.replace(request))(stored)
 * })
 * ```
 */
const replaceConnection = (request: ConnectionCreate) =>
  Effect.map(
    validateConnection(request),
    (valid) => (stored: ConnectionRecord) =>
      Effect.flatMap(nextVersion(stored.connection), (version) =>
        splitCredentials(stored.organizationId, stored.connection.id, version, valid, stored)
      )
  )

const sourceRecord = (organizationId: OrganizationId, id: SourceId, version: number, valid: DashboardSourceCreate) =>
  Effect.map(Effect.orDie(decodeSource({ ...withoutNulls(valid), id })), (source): SourceRecord => ({
    organizationId,
    source: withVersion(source, version)
  }))

/**
 * Makes a new data source from a request, as `connectionRules.make` makes a connection.
 *
 * @example
 * ```ts
 * import { ConnectionId, type DashboardSourceCreate, type OrganizationId } from "@headgate/core"
 * import { sourceRules } from "@headgate/core/adapter"
 *
 * const request: DashboardSourceCreate = { name: "Logs", kind: "log", connection: ConnectionId.make("65f5e4a3b9e77c001a567890") }
 * export const recordOf = (organizationId: OrganizationId) => sourceRules.make(organizationId, request)
 * ```
 */
const makeSource = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DashboardSourceCreate) {
  const valid = yield* validateSource(request)
  return yield* sourceRecord(organizationId, SourceId.make(yield* objectId()), 1, valid)
})

/**
 * Validates a request to replace a data source, as `connectionRules.replace` does for a connection.
 *
 * @example
 * ```ts
 * import type { DashboardSourceCreate } from "@headgate/core"
 * import { type SourceRecord, sourceRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const replace = Effect.fn("replace")(function* (stored: SourceRecord, request: DashboardSourceCreate) {
 *   return yield* (yield* sourceRules.replace(request))(stored)
 * })
 * ```
 */
const replaceSource = (request: DashboardSourceCreate) =>
  Effect.map(
    validateSource(request),
    (valid) => (stored: SourceRecord) =>
      Effect.flatMap(nextVersion(stored.source), (version) =>
        sourceRecord(stored.organizationId, stored.source.id, version, valid)
      )
  )

/** The rules of every store of connections. */
export const connectionRules = { make: makeConnection, replace: replaceConnection }

/** The rules of every store of data sources. */
export const sourceRules = { make: makeSource, replace: replaceSource }
