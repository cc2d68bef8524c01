import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { withVersion } from "../access/Version.ts"
import { OrganizationId, TokenId } from "../access/ids.ts"
import type { TokenRecord } from "../access/makeToken.ts"
import {
  type DocumentKindName,
  documentKinds,
  type DocumentRecord,
  importedDocument,
  secretsDecoder
} from "../dashboard/documentKinds.ts"
import type { ConnectionRecord } from "../dashboard/storedDocuments.ts"
import { invalidRequest } from "../error/CallError.ts"
import { type FieldIssue, fieldIssues } from "../error/FieldIssue.ts"
import { documentIssues } from "../error/validate.ts"
import type { ApiKey } from "../key/ApiKey.ts"
import type { Role } from "../key/Role.ts"
import { assignedIds, assignRoles, customRolesOf, roleIssues } from "../key/assignRoles.ts"
import { ApiKeyId, RoleId } from "../key/ids.ts"
import type { ApiKeyRecord } from "../key/makeApiKey.ts"
import { systemRole } from "../key/makeRole.ts"
import type { Pipe } from "../pipe/Pipe.ts"
import { PipeId, ServiceId } from "../pipe/ids.ts"
import { ReversePrivateEndpointId } from "../service/ids.ts"
import type { ReversePrivateEndpoint } from "../service/ReversePrivateEndpoint.ts"
import { makeService } from "../service/Service.ts"
import type { OrganizationSnapshot, Snapshot, SnapshotConnection, SnapshotKey, SnapshotToken } from "./Snapshot.ts"
import type { OrganizationRecord, SnapshotContent, SnapshotRow, SnapshotRows } from "./SnapshotContent.ts"
import { joinSecrets, refusedSecrets, withoutSecrets } from "./snapshotSecrets.ts"

const snapshotKey = ({ key, keyIdHash, keySecretHash }: ApiKeyRecord): SnapshotKey => ({
  id: key.id,
  name: key.name,
  roles: key.roles ?? [],
  ...(customRolesOf(key).length === 0 ? {} : assignedIds(key)),
  state: key.state ?? "enabled",
  ...(key.createdAt ? { createdAt: key.createdAt } : {}),
  ...(key.usedAt ? { usedAt: key.usedAt } : {}),
  ...(key.expireAt ? { expireAt: key.expireAt } : {}),
  ...(key.ipAccessList ? { ipAccessList: key.ipAccessList } : {}),
  hashData: { keyIdHash, keyIdSuffix: key.keySuffix ?? "", keySecretHash }
})

const snapshotToken = ({ token, tokenHash }: TokenRecord): SnapshotToken => ({
  id: token.id,
  name: token.name,
  createdAt: token.createdAt,
  tokenHash
})

/** The documents of records, without their secrets. */
const documentsIn = <Document>(schema: Schema.Codec<Document, unknown>) => {
  const decode = Schema.decodeUnknownSync(schema)
  return (records: ReadonlyArray<DocumentRecord>): ReadonlyArray<Document> =>
    records.map(({ document }) => decode(document))
}

const savedSearchesIn = documentsIn(documentKinds.savedSearches.Document)
const webhooksIn = documentsIn(documentKinds.webhooks.Document)
const alertsIn = documentsIn(documentKinds.alerts.Document)

/**
 * Makes the snapshot of a store's content, without its secrets, for adapters that implement `Snapshots`. Apart from them it is
 * the inverse of {@link snapshotRows}.
 *
 * @example
 * ```ts
 * import { OrganizationId, ServiceId } from "@headgate/core"
 * import { makeService, toSnapshot } from "@headgate/core/adapter"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const id = ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d")
 *
 * // The rows of two tables: the snapshot has each service in its organization.
 * const snapshot = toSnapshot({
 *   organizations: [{ id: organizationId, name: "Acme", createdAt: await Effect.runPromise(DateTime.now) }],
 *   services: [{ organizationId, service: await Effect.runPromise(makeService({ id, name: "ingest" })) }],
 *   endpoints: [],
 *   pipes: [],
 *   roles: [],
 *   keys: [],
 *   tokens: [],
 *   dashboards: [],
 *   connections: [],
 *   sources: [],
 *   savedSearches: [],
 *   webhooks: [],
 *   alerts: []
 * })
 * console.log(snapshot.organizations.map(({ name, services }) => [name, services?.map((service) => service.name)]))
 * // [ [ 'Acme', [ 'ingest' ] ] ]
 * ```
 */
export const toSnapshot = (content: SnapshotContent): Snapshot => {
  const ofOrganization = ({ createdAt, id, name }: OrganizationRecord): OrganizationSnapshot => {
    const owned = <A extends { readonly organizationId: OrganizationId }>(rows: ReadonlyArray<A>) =>
      rows.filter(({ organizationId }) => organizationId === id)
    const endpoints = owned(content.endpoints).map(({ endpoint }) => endpoint)
    const endpointsOf = (id: ServiceId) => {
      const own = endpoints.filter(({ serviceId }) => serviceId === id)
      return own.length === 0 ? {} : { reversePrivateEndpoints: own }
    }
    const pipes = owned(content.pipes).map(({ pipe }) => withoutSecrets(pipe))
    return {
      id,
      name,
      createdAt,
      services: owned(content.services).map(({ cdcScaling, service }) => ({
        ...service,
        ...(cdcScaling === undefined ? {} : { cdcScaling }),
        ...endpointsOf(service.id),
        pipes: pipes.filter(({ serviceId }) => serviceId === service.id)
      })),
      roles: owned(content.roles).map(({ role }) => role),
      keys: owned(content.keys).map(snapshotKey),
      tokens: owned(content.tokens).map(snapshotToken),
      dashboards: owned(content.dashboards).map(({ dashboard }) => dashboard),
      connections: owned(content.connections).map(({ connection }) => connection),
      sources: owned(content.sources).map(({ source }) => source),
      savedSearches: savedSearchesIn(owned(content.savedSearches)),
      webhooks: webhooksIn(owned(content.webhooks)),
      alerts: alertsIn(owned(content.alerts))
    }
  }
  return { organizations: content.organizations.map(ofOrganization) }
}

/** What an import adds was changed by no caller yet. */
const firstVersion = <A extends object>(resource: A): A => withVersion(resource, 1)

const toRecord = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  key: SnapshotKey,
  customRoles: ReadonlyArray<Role>
) {
  const random = yield* SecureRandom
  const apiKey: ApiKey = {
    id: ApiKeyId.make(key.id?.toLowerCase() ?? (yield* random.uuidV4())),
    name: key.name,
    state: key.state ?? "enabled",
    ...assignRoles(key, customRoles),
    keySuffix: key.hashData.keyIdSuffix,
    createdAt: key.createdAt ?? (yield* DateTime.now),
    ...(key.usedAt === undefined ? {} : { usedAt: key.usedAt }),
    ...(Predicate.isNotNullish(key.expireAt) ? { expireAt: key.expireAt } : {}),
    ...(Predicate.isNotNullish(key.ipAccessList) ? { ipAccessList: key.ipAccessList } : {})
  }
  const record: ApiKeyRecord = {
    organizationId,
    key: firstVersion(apiKey),
    keyIdHash: key.hashData.keyIdHash,
    keySecretHash: key.hashData.keySecretHash
  }
  return record
})

const toTokenRecord = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  { createdAt, id, name, tokenHash }: SnapshotToken
) {
  const random = yield* SecureRandom
  const record: TokenRecord = {
    organizationId,
    token: {
      id: TokenId.make(id?.toLowerCase() ?? (yield* random.uuidV4())),
      name,
      createdAt: createdAt ?? (yield* DateTime.now)
    },
    tokenHash
  }
  return record
})

// UUIDs are equal in capitals and in small letters (RFC 9562). A store has them in small letters, as servers read them.
const organizationIdOf = (id: OrganizationId) => OrganizationId.make(id.toLowerCase())
const serviceIdOf = (id: ServiceId) => ServiceId.make(id.toLowerCase())
const pipeOf = (pipe: Pipe): Pipe =>
  firstVersion({ ...pipe, id: PipeId.make(pipe.id.toLowerCase()), serviceId: serviceIdOf(pipe.serviceId) })
const roleOf = (role: Role): Role => firstVersion({ ...role, id: RoleId.make(role.id.toLowerCase()), type: "custom" })

const endpointOf = (endpoint: ReversePrivateEndpoint): ReversePrivateEndpoint =>
  firstVersion({
    ...endpoint,
    id: ReversePrivateEndpointId.make(endpoint.id.toLowerCase()),
    serviceId: serviceIdOf(endpoint.serviceId)
  })

const toConnectionRecord = (
  organizationId: OrganizationId,
  { password, ...connection }: SnapshotConnection
): ConnectionRecord => ({
  organizationId,
  connection: firstVersion(connection),
  ...(Predicate.isNotNullish(password) ? { password } : {})
})

const rowsOf = Effect.fnUntraced(function* (organization: OrganizationSnapshot, path: string) {
  const {
    connections = [],
    dashboards = [],
    id,
    keys = [],
    name,
    roles = [],
    services = [],
    sources = [],
    tokens = []
  } = organization
  const organizationId = organizationIdOf(id)
  const createdAt = organization.createdAt ?? (yield* DateTime.now)
  const customRoles = roles.map(roleOf)
  const documentRows = (kind: DocumentKindName) =>
    (organization[kind] ?? []).map((document, index) => ({
      path: `${path}.${kind}[${index}]`,
      value: importedDocument(kind, organizationId, document)
    }))
  const rows: SnapshotRows = {
    organizations: [{ path, value: { id: organizationId, name, createdAt } }],
    services: yield* Effect.forEach(
      services,
      ({ cdcScaling, pipes: _pipes, reversePrivateEndpoints: _endpoints, ...service }, index) =>
        Effect.map(makeService({ ...service, id: serviceIdOf(service.id) }), (made) => ({
          path: `${path}.services[${index}]`,
          value: { organizationId, service: made, ...(cdcScaling === undefined ? {} : { cdcScaling }) }
        }))
    ),
    endpoints: services.flatMap((service, serviceIndex) =>
      (service.reversePrivateEndpoints ?? []).map((endpoint, index) => ({
        path: `${path}.services[${serviceIndex}].reversePrivateEndpoints[${index}]`,
        value: { organizationId, endpoint: endpointOf(endpoint) }
      }))
    ),
    pipes: services.flatMap((service, serviceIndex) =>
      (service.pipes ?? []).map((pipe, index) => ({
        path: `${path}.services[${serviceIndex}].pipes[${index}]`,
        value: { organizationId, pipe: pipeOf(pipe) }
      }))
    ),
    roles: customRoles.map((role, index) => ({ path: `${path}.roles[${index}]`, value: { organizationId, role } })),
    keys: yield* Effect.forEach(keys, (key, index) =>
      Effect.map(toRecord(organizationId, key, customRoles), (value) => ({ path: `${path}.keys[${index}]`, value }))
    ),
    tokens: yield* Effect.forEach(tokens, (token, index) =>
      Effect.map(toTokenRecord(organizationId, token), (value) => ({ path: `${path}.tokens[${index}]`, value }))
    ),
    dashboards: dashboards.map((dashboard, index) => ({
      path: `${path}.dashboards[${index}]`,
      value: { organizationId, dashboard: firstVersion({ ...dashboard }) }
    })),
    connections: connections.map((connection, index) => ({
      path: `${path}.connections[${index}]`,
      value: toConnectionRecord(organizationId, connection)
    })),
    sources: sources.map((source, index) => ({
      path: `${path}.sources[${index}]`,
      value: { organizationId, source: firstVersion({ ...source }) }
    })),
    savedSearches: documentRows("savedSearches"),
    webhooks: documentRows("webhooks"),
    alerts: documentRows("alerts")
  }
  return rows
})

const duplicates = <A>(
  rows: ReadonlyArray<SnapshotRow<A>>,
  field: string,
  idOf: (value: A) => string
): ReadonlyArray<FieldIssue> => {
  const seen = new Map<string, string>()
  return rows.flatMap(({ path, value }) => {
    const first = seen.get(idOf(value))
    if (first === undefined) seen.set(idOf(value), path)
    return first === undefined
      ? []
      : [{ path: `${path}.${field}`, message: `Expected a unique value: ${first} has the same one` }]
  })
}

/** The pipes and endpoints of a snapshot whose `serviceId` is not the id of their service. */
const misplaced = (snapshot: Snapshot): ReadonlyArray<FieldIssue> =>
  snapshot.organizations.flatMap((organization, o) =>
    (organization.services ?? []).flatMap(({ id, pipes = [], reversePrivateEndpoints = [] }, s) =>
      Object.entries<ReadonlyArray<{ readonly serviceId: ServiceId }>>({ pipes, reversePrivateEndpoints }).flatMap(
        ([kind, resources]) =>
          resources.flatMap(({ serviceId }, index) =>
            serviceId.toLowerCase() === id.toLowerCase()
              ? []
              : [
                  {
                    path: `organizations[${o}].services[${s}].${kind}[${index}].serviceId`,
                    message: `Expected ${id}, the id of its service`
                  }
                ]
          )
      )
    )
  )

/** The roles of keys that are not in the snapshot, and the custom roles with the id of a system role. */
const wrongRoles = (snapshot: Snapshot): ReadonlyArray<FieldIssue> =>
  snapshot.organizations.flatMap(({ keys = [], roles = [] }, o) => {
    const customRoles = roles.map(roleOf)
    return [
      ...customRoles.flatMap(({ id }, r) =>
        systemRole(id) === undefined
          ? []
          : [{ path: `organizations[${o}].roles[${r}].id`, message: "Expected a custom role: this is a system role" }]
      ),
      ...keys.flatMap((key, k) =>
        roleIssues(key, customRoles).map(({ message, path }) => ({
          path: `organizations[${o}].keys[${k}].${path}`,
          message
        }))
      )
    ]
  })

/**
 * The issue of an id at `path` that the store holds already under another owner.
 *
 * @example
 * ```ts
 * import type { OrganizationId, PipeId } from "@headgate/core"
 * import { idConflict, invalidRequest, type SnapshotRows } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // Before an import: no pipe may have the id of a pipe of another organization.
 * export const checkOwners = (rows: SnapshotRows, owners: ReadonlyMap<PipeId, OrganizationId>) => {
 *   const issues = rows.pipes.flatMap(({ path, value: { organizationId, pipe } }) =>
 *     (owners.get(pipe.id) ?? organizationId) === organizationId ? [] : [idConflict(`${path}.id`)]
 *   )
 *   return issues.length === 0 ? Effect.void : Effect.fail(invalidRequest(issues))
 * }
 *
 * console.log(idConflict("organizations[0].services[0].pipes[2].id").message)
 * // Expected a value that no other resource in the store has
 * ```
 */
export const idConflict = (path: string): FieldIssue => ({
  path,
  message: "Expected a value that no other resource in the store has"
})

/** The secrets of documents that are not what a request may have. */
const wrongSecrets = (rows: SnapshotRows): ReadonlyArray<FieldIssue> =>
  Struct.keys(documentKinds).flatMap((kind) => {
    const decode = secretsDecoder(kind)
    return rows[kind].flatMap(({ path, value: { secrets } }) => {
      const decoded = secrets === undefined ? undefined : decode?.(Redacted.value(secrets))
      return decoded !== undefined && Result.isFailure(decoded)
        ? fieldIssues(decoded.failure).map((issue) => ({ path: `${path}.${issue.path}`, message: issue.message }))
        : []
    })
  })

/**
 * Makes flat lists of rows of a snapshot, for adapters that implement `Snapshots` or run the laws. Assigns ids to keys and
 * tokens without one. Fails with `InvalidRequest` when an id occurs twice, when the `serviceId` of a pipe is not the id of its
 * service, or when a number is too large.
 *
 * Secrets that are not sealed are put into their rows. `sealingKey` is the fingerprint of the store's key: secrets that are sealed
 * with another one are refused, and the adapter joins the others with {@link joinSecrets} once it has sealed the rows.
 *
 * @example
 * ```ts
 * import type { Pipe, PipeId, Snapshot } from "@headgate/core"
 * import { snapshotRows } from "@headgate/core/adapter"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * export const pipesOf = Effect.fn("pipesOf")(function* (snapshot: Snapshot) {
 *   const { pipes } = yield* snapshotRows(snapshot)
 *   return new Map<PipeId, Pipe>(pipes.map(({ value: { pipe } }) => [pipe.id, pipe]))
 * }, Effect.provide(SecureRandom.layerWebCrypto))
 * ```
 */
export const snapshotRows = Effect.fnUntraced(function* (snapshot: Snapshot, sealingKey?: string) {
  const { secrets } = snapshot
  const isSealed = secrets?.sealingKey !== undefined
  const refused = isSealed && secrets.sealingKey !== sealingKey ? refusedSecrets(secrets, sealingKey) : []
  const perOrganization = yield* Effect.forEach(snapshot.organizations, (organization, index) =>
    rowsOf(organization, `organizations[${index}]`)
  )
  const rows: SnapshotRows = {
    organizations: perOrganization.flatMap((rows) => rows.organizations),
    services: perOrganization.flatMap((rows) => rows.services),
    endpoints: perOrganization.flatMap((rows) => rows.endpoints),
    pipes: perOrganization.flatMap((rows) => rows.pipes),
    roles: perOrganization.flatMap((rows) => rows.roles),
    keys: perOrganization.flatMap((rows) => rows.keys),
    tokens: perOrganization.flatMap((rows) => rows.tokens),
    dashboards: perOrganization.flatMap((rows) => rows.dashboards),
    connections: perOrganization.flatMap((rows) => rows.connections),
    sources: perOrganization.flatMap((rows) => rows.sources),
    savedSearches: perOrganization.flatMap((rows) => rows.savedSearches),
    webhooks: perOrganization.flatMap((rows) => rows.webhooks),
    alerts: perOrganization.flatMap((rows) => rows.alerts)
  }
  const issues = [
    ...duplicates(rows.organizations, "id", (organization) => organization.id),
    ...duplicates(rows.services, "id", ({ service }) => service.id),
    ...duplicates(rows.endpoints, "id", ({ endpoint }) => endpoint.id),
    ...duplicates(rows.pipes, "id", ({ pipe }) => pipe.id),
    ...duplicates(rows.roles, "id", ({ role }) => role.id),
    ...duplicates(rows.keys, "id", ({ key }) => key.id),
    ...duplicates(rows.keys, "hashData.keyIdHash", (record) => record.keyIdHash),
    ...duplicates(rows.tokens, "id", ({ token }) => token.id),
    ...duplicates(rows.tokens, "tokenHash", (token) => token.tokenHash),
    ...duplicates(rows.dashboards, "id", ({ dashboard }) => dashboard.id),
    ...duplicates(rows.connections, "id", ({ connection }) => connection.id),
    ...duplicates(rows.sources, "id", ({ source }) => source.id),
    ...Struct.keys(documentKinds).flatMap((kind) => duplicates(rows[kind], "id", ({ document }) => document.id)),
    ...misplaced(snapshot),
    ...wrongRoles(snapshot),
    ...wrongSecrets(rows),
    ...documentIssues(snapshot),
    ...refused
  ]
  if (issues.length > 0) return yield* invalidRequest(issues)
  return secrets === undefined || isSealed ? rows : yield* joinSecrets(rows, secrets)
})
