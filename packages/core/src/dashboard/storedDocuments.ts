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
import { badReference, type FindNamed } from "./DocumentRule.ts"
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

const noAlerts = <E>(_id: string, _find: FindNamed<E>) => Effect.succeed<ReadonlyArray<string>>([])

const makeConnection = Effect.fnUntraced(function* (organizationId: OrganizationId, request: ConnectionCreate) {
  const valid = yield* validateConnection(request)
  const id = ConnectionId.make(yield* objectId())
  return <E>(_find: FindNamed<E>) => splitCredentials(organizationId, id, 1, valid)
})

const replaceConnection = (request: ConnectionCreate) =>
  Effect.map(
    validateConnection(request),
    (valid) =>
      <E>(_id: string, _find: FindNamed<E>) =>
        Effect.succeed((stored: ConnectionRecord) =>
          Effect.flatMap(nextVersion(stored.connection), (version) =>
            splitCredentials(stored.organizationId, stored.connection.id, version, valid, stored)
          )
        )
  )

/**
 * The rules of connections, as `documentRules` are those of other documents. Every adapter that stores connections uses them. A
 * password, `hyperdxSettingPrefix` or `prometheusEndpoint` that is absent in a request to replace a connection stays, `null` removes
 * it. Nothing needs a connection to stay. Contract: docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { connectionRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const request = { name: "production", host: "https://db.example.com:8443", password: Redacted.make("secret") }
 * const find = () => Effect.succeed([])
 * // The password is beside the connection, which is what callers read.
 * export const recordOf = (organizationId: OrganizationId) =>
 *   Effect.flatMap(connectionRules.make(organizationId, request), (record) =>
 *     Effect.map(record(find), ({ connection, password }) => [connection.name, password])
 *   )
 * ```
 */
export const connectionRules = { make: makeConnection, replace: replaceConnection, deletion: noAlerts }

const sourceRecord = (organizationId: OrganizationId, id: SourceId, version: number, valid: DashboardSourceCreate) =>
  Effect.map(Effect.orDie(decodeSource({ ...withoutNulls(valid), id })), (source): SourceRecord => ({
    organizationId,
    source: withVersion(source, version)
  }))

const requireConnection = Effect.fnUntraced(function* <E>({ connection }: DashboardSourceCreate, find: FindNamed<E>) {
  const connections = yield* find("connections", [connection])
  if (connections.length === 0) return yield* badReference("connection", "connection must be an existing connection id")
})

const makeSource = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DashboardSourceCreate) {
  const valid = yield* validateSource(request)
  const id = SourceId.make(yield* objectId())
  return <E>(find: FindNamed<E>) =>
    Effect.andThen(requireConnection(valid, find), sourceRecord(organizationId, id, 1, valid))
})

const replaceSource = (request: DashboardSourceCreate) =>
  Effect.map(
    validateSource(request),
    (valid) =>
      <E>(_id: string, find: FindNamed<E>) =>
        Effect.as(requireConnection(valid, find), (stored: SourceRecord) =>
          Effect.flatMap(nextVersion(stored.source), (version) =>
            sourceRecord(stored.organizationId, stored.source.id, version, valid)
          )
        )
  )

/**
 * The rules of data sources, as {@link connectionRules}. A source names a connection of the organization, or one that is built in.
 *
 * @example
 * ```ts
 * import { ConnectionId, type DashboardSourceCreate, type OrganizationId } from "@headgate/core"
 * import { sourceRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const connection = ConnectionId.make("65f5e4a3b9e77c001a567890")
 * const request: DashboardSourceCreate = { name: "Logs", kind: "log", connection }
 * // Yours: the connections of the organization with these ids.
 * const find = () => Effect.succeed([{ id: connection }])
 * export const recordOf = (organizationId: OrganizationId) =>
 *   Effect.flatMap(sourceRules.make(organizationId, request), (record) => record(find))
 * ```
 */
export const sourceRules = { make: makeSource, replace: replaceSource, deletion: noAlerts }
