import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { withVersion } from "../access/Version.ts"
import { OrganizationId } from "../id/organization.ts"
import { TokenId } from "../id/token.ts"
import { type DocumentKindName, documentKinds } from "../dashboard/documentKinds.ts"
import { type DocumentRecord, importedDocument } from "../dashboard/documentRules.ts"
import { assignedIds, assignRoles, customRolesOf } from "../key/assignRoles.ts"
import { ApiKeyId } from "../id/key.ts"
import { RoleId } from "../id/role.ts"
import type { Role } from "../key/Role.ts"
import { PipeId } from "../id/pipe.ts"
import { ServiceId } from "../id/service.ts"
import { splitSecrets } from "../pipe/credentialFields.ts"
import { ReversePrivateEndpointId } from "../id/endpoint.ts"
import { makeService } from "../service/Service.ts"
import { connectionSecrets, documentSecrets, type KindSecrets, pipeSecrets } from "./kindSecrets.ts"
import type { OrganizationSnapshot } from "./Snapshot.ts"
import type { KindName, KindRecords } from "./SnapshotContent.ts"

type ServiceSnapshot = NonNullable<OrganizationSnapshot["services"]>[number]

/** The kinds that no limit counts. A new kind is counted, or it is named here. */
type UncountedKind = "organizations" | "services" | "tokens"

/** The kinds of resources that an organization holds a limited number of. */
export type CountedKind = Exclude<KindName, UncountedKind>

/** The kinds that a snapshot has directly in an organization, by the name of the kind. */
export type OrganizationKind = Exclude<KindName, "organizations" | "endpoints" | "pipes">

/** What a snapshot holds of a resource of each kind. */
type SnapshotDocuments = {
  readonly [Kind in OrganizationKind]: NonNullable<OrganizationSnapshot[Kind]>[number]
} & {
  readonly organizations: OrganizationSnapshot
  readonly endpoints: NonNullable<ServiceSnapshot["reversePrivateEndpoints"]>[number]
  readonly pipes: NonNullable<ServiceSnapshot["pipes"]>[number]
}

type Limits = { readonly [Kind in CountedKind]: number } & { readonly [Kind in UncountedKind]: undefined }

/** All that tells one kind of resources from another. Nothing has a default: a new kind does not compile until each is answered. */
export interface Kind<Stored, Document, Limit = number | undefined> {
  /** The documents of an organization of a snapshot, with their paths in it. */
  readonly documentsIn: (organization: OrganizationSnapshot) => ReadonlyArray<Located<Document>>
  /** What a resource belongs to, and is deleted with. */
  readonly owner: "store" | "organization" | "service"
  /** The resource itself in what a store keeps of it. */
  readonly resourceOf: (stored: Stored) => { readonly id: string }
  /** The owner that an existing resource must have for an import to keep it. */
  readonly ownerOf: (stored: Stored) => string
  /** By what an import finds an existing resource: the path of the field in a snapshot, and its value. */
  readonly identity: readonly [path: string, of: (stored: Stored) => string]
  /** How many an organization may have if nobody says otherwise; `undefined`: they are not limited. */
  readonly limit: Limit
  /** `undefined`: it has none. */
  readonly secrets: KindSecrets<Stored> | undefined
  /** What an import makes of a document: ids in small letters, the first version, the times and defaults that are absent. */
  readonly imported: (
    document: Document,
    organizationId: OrganizationId,
    organization: OrganizationSnapshot
  ) => Effect.Effect<Stored, never, SecureRandom>
  /** The document that an export has, without secrets and without what belongs to it. */
  readonly exported: (stored: Stored) => Document
}

/** A document with its path in an organization, as `services[0].pipes[1]`, and the service that it is in. */
interface Located<Document> {
  readonly path: string
  readonly document: Document
  readonly service?: ServiceSnapshot
}

const located = <Document>(key: string, documents: ReadonlyArray<Document> = []): ReadonlyArray<Located<Document>> =>
  documents.map((document, index) => ({ path: `${key}[${index}]`, document }))

/** The documents that a snapshot has in services. */
const inServices =
  <Document>(key: string, documentsOf: (service: ServiceSnapshot) => ReadonlyArray<Document> | undefined) =>
  ({ services }: OrganizationSnapshot) =>
    located("services", services).flatMap(({ document: service, path }) =>
      located(`${path}.${key}`, documentsOf(service)).map((found) => ({ ...found, service }))
    )

interface Owned {
  readonly organizationId: OrganizationId
}

const ofOrganization = {
  owner: "organization",
  ownerOf: ({ organizationId }: Owned): string => organizationId
} as const

const ofService = <Stored extends Owned>(resourceOf: (stored: Stored) => { readonly serviceId: ServiceId }) =>
  ({
    owner: "service",
    ownerOf: (stored: Stored): string => `${stored.organizationId}/${resourceOf(stored).serviceId}`
  }) as const

/** A resource that an import finds by its id. */
const byId = <Stored>(resourceOf: (stored: Stored) => { readonly id: string }) =>
  ({ resourceOf, identity: ["id", (stored: Stored): string => resourceOf(stored).id] }) as const

/** What an import adds was changed by no caller yet. */
const firstVersion = <A extends object>(resource: A): A => withVersion(resource, 1)

// UUIDs are equal in capitals and in small letters (RFC 9562). A store has them in small letters, as servers read them.
const serviceIdOf = (id: ServiceId) => ServiceId.make(id.toLowerCase())

/** A custom role as an import stores it. */
export const importedRole = (role: Role): Role =>
  firstVersion({ ...role, id: RoleId.make(role.id.toLowerCase()), type: "custom" })

const timeOr = (time: DateTime.Utc | undefined) => (time === undefined ? DateTime.now : Effect.succeed(time))

/** The id of a key or a token that may have none. */
const idOrNew = Effect.fnUntraced(function* (id: string | undefined) {
  const random = yield* SecureRandom
  return id?.toLowerCase() ?? (yield* random.uuidV4())
})

/** The kind of the documents of one name. A store keeps every kind as a `DocumentRecord`, so an export decodes each by the schema of its kind. */
const documents = (kind: DocumentKindName): Kind<DocumentRecord, any, number> => {
  const decode = Schema.decodeUnknownSync(documentKinds[kind].Document)
  return {
    documentsIn: (organization) => located<{ readonly id: string }>(kind, organization[kind]),
    ...ofOrganization,
    ...byId(({ document }) => document),
    limit: 200,
    secrets: documentSecrets(kind),
    imported: (document, organizationId) => Effect.succeed(importedDocument(kind, organizationId, document)),
    exported: ({ document }) => decode(document)
  }
}

/**
 * A record with a member for each of some kinds.
 *
 * @example
 * ```ts
 * import { type KindName, kindNames, kinds, mapKinds } from "@headgate/core/adapter"
 *
 * const owners = mapKinds<{ readonly [Kind in KindName]: string }>(kindNames, (kind) => kinds[kind].owner)
 * console.log(owners.webhooks) // organization
 * ```
 */
export const mapKinds = <A extends { readonly [Kind in KindName]?: unknown }>(
  names: ReadonlyArray<keyof A & KindName>,
  make: <Kind extends keyof A & KindName>(kind: Kind) => A[Kind]
): A => Object.assign({}, ...names.map((kind) => ({ [kind]: make(kind) })))

/**
 * Every kind of resources that a store holds, owners before what belongs to them. Snapshots, limits, the removal of a service or an
 * organization, the maps of a store in memory and the tables of one over SQL are derived from it.
 *
 * @example
 * ```ts
 * import { kinds } from "@headgate/core/adapter"
 *
 * console.log(kinds.pipes.owner, kinds.pipes.limit) // service 1000
 * ```
 */
export const kinds: {
  readonly [Name in KindName]: Kind<KindRecords[Name], SnapshotDocuments[Name], Limits[Name]>
} = {
  organizations: {
    documentsIn: (document) => [{ path: "", document }],
    owner: "store",
    ownerOf: () => "",
    ...byId((organization) => organization),
    limit: undefined,
    secrets: undefined,
    imported: ({ createdAt, name }, id) => Effect.map(timeOr(createdAt), (createdAt) => ({ id, name, createdAt })),
    exported: ({ createdAt, id, name }) => ({ id, name, createdAt })
  },
  services: {
    documentsIn: ({ services }) => located("services", services),
    ...ofOrganization,
    ...byId(({ service }) => service),
    limit: undefined,
    secrets: undefined,
    imported: ({ cdcScaling, ...document }, organizationId) => {
      const own = Struct.omit(document, ["pipes", "reversePrivateEndpoints"])
      return Effect.map(makeService({ ...own, id: serviceIdOf(own.id) }), (service) => ({
        organizationId,
        service,
        ...(cdcScaling === undefined ? {} : { cdcScaling })
      }))
    },
    exported: ({ cdcScaling, service }) => ({ ...service, ...(cdcScaling === undefined ? {} : { cdcScaling }) })
  },
  endpoints: {
    documentsIn: inServices("reversePrivateEndpoints", (service) => service.reversePrivateEndpoints),
    ...ofService(({ endpoint }: KindRecords["endpoints"]) => endpoint),
    ...byId(({ endpoint }) => endpoint),
    limit: 200,
    secrets: undefined,
    imported: (document, organizationId) => {
      const id = ReversePrivateEndpointId.make(document.id.toLowerCase())
      const endpoint = firstVersion({ ...document, id, serviceId: serviceIdOf(document.serviceId) })
      return Effect.succeed({ organizationId, endpoint })
    },
    exported: ({ endpoint }) => endpoint
  },
  pipes: {
    documentsIn: inServices("pipes", ({ pipes }) => pipes),
    ...ofService(({ pipe }: KindRecords["pipes"]) => pipe),
    ...byId(({ pipe }) => pipe),
    limit: 1000,
    secrets: pipeSecrets,
    imported: (document, organizationId) => {
      const id = PipeId.make(document.id.toLowerCase())
      const pipe = firstVersion({ ...document, id, serviceId: serviceIdOf(document.serviceId) })
      return Effect.succeed({ organizationId, pipe })
    },
    exported: ({ pipe }) =>
      Predicate.isNullish(pipe.source) ? pipe : { ...pipe, source: splitSecrets(pipe.source).source }
  },
  roles: {
    documentsIn: ({ roles }) => located("roles", roles),
    ...ofOrganization,
    ...byId(({ role }) => role),
    limit: 100,
    secrets: undefined,
    imported: (document, organizationId) => Effect.succeed({ organizationId, role: importedRole(document) }),
    exported: ({ role }) => role
  },
  keys: {
    documentsIn: ({ keys }) => located("keys", keys),
    ...ofOrganization,
    resourceOf: ({ key }) => key,
    identity: ["hashData.keyIdHash", ({ keyIdHash }) => keyIdHash],
    limit: 100,
    secrets: undefined,
    imported: Effect.fnUntraced(function* (document, organizationId, { roles = [] }) {
      const { expireAt, hashData, ipAccessList, usedAt } = document
      const key = firstVersion({
        id: ApiKeyId.make(yield* idOrNew(document.id)),
        name: document.name,
        state: document.state ?? "enabled",
        ...assignRoles(document, roles.map(importedRole)),
        keySuffix: hashData.keyIdSuffix,
        createdAt: yield* timeOr(document.createdAt),
        ...(usedAt === undefined ? {} : { usedAt }),
        ...(Predicate.isNotNullish(expireAt) ? { expireAt } : {}),
        ...(Predicate.isNotNullish(ipAccessList) ? { ipAccessList } : {})
      })
      return { organizationId, key, keyIdHash: hashData.keyIdHash, keySecretHash: hashData.keySecretHash }
    }),
    exported: ({ key, keyIdHash, keySecretHash }) => ({
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
  },
  tokens: {
    documentsIn: ({ tokens }) => located("tokens", tokens),
    ...ofOrganization,
    resourceOf: ({ token }) => token,
    identity: ["tokenHash", ({ tokenHash }) => tokenHash],
    limit: undefined,
    secrets: undefined,
    imported: Effect.fnUntraced(function* ({ createdAt, grants = [], id, name, tokenHash }, organizationId) {
      const token = { id: TokenId.make(yield* idOrNew(id)), name, createdAt: yield* timeOr(createdAt) }
      return { organizationId, token, tokenHash, grants }
    }),
    exported: ({ grants, token: { createdAt, id, name }, tokenHash }) => ({
      id,
      name,
      createdAt,
      tokenHash,
      ...(grants.length === 0 ? {} : { grants })
    })
  },
  dashboards: {
    documentsIn: ({ dashboards }) => located("dashboards", dashboards),
    ...ofOrganization,
    ...byId(({ dashboard }) => dashboard),
    limit: 1000,
    secrets: undefined,
    imported: (document, organizationId) =>
      Effect.succeed({ organizationId, dashboard: firstVersion({ ...document }) }),
    exported: ({ dashboard }) => dashboard
  },
  connections: {
    documentsIn: ({ connections }) => located("connections", connections),
    ...ofOrganization,
    ...byId(({ connection }) => connection),
    limit: 200,
    secrets: connectionSecrets,
    imported: ({ password, ...document }, organizationId) =>
      Effect.succeed({
        organizationId,
        connection: firstVersion(document),
        ...(Predicate.isNotNullish(password) ? { password } : {})
      }),
    exported: ({ connection }) => connection
  },
  sources: {
    documentsIn: ({ sources }) => located("sources", sources),
    ...ofOrganization,
    ...byId(({ source }) => source),
    limit: 200,
    secrets: undefined,
    imported: (document, organizationId) => Effect.succeed({ organizationId, source: firstVersion({ ...document }) }),
    exported: ({ source }) => source
  },
  ...mapKinds<{ readonly [Name in DocumentKindName]: Kind<DocumentRecord, any, number> }>(
    Struct.keys(documentKinds),
    documents
  )
}

/** The names of the kinds, owners before what belongs to them. */
export const kindNames = Struct.keys(kinds)

/** The names of the kinds that a summary of an organization counts. */
export const summedKinds = Struct.keys(Struct.omit(kinds, ["organizations", "services"]))
