import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { OrganizationId } from "../id/organization.ts"
import { documentKinds } from "../dashboard/documentKinds.ts"
import { secretsDecoder } from "../dashboard/documentRules.ts"
import { invalidRequest } from "../error/CallError.ts"
import { type FieldIssue, fieldIssues } from "../error/FieldIssue.ts"
import { documentIssues } from "../error/validate.ts"
import { roleIssues } from "../key/assignRoles.ts"
import { systemRole } from "../key/makeRole.ts"
import { importedRole, kindNames, kinds, mapKinds, type OrganizationKind } from "./kinds.ts"
import type { OrganizationSnapshot, Snapshot } from "./Snapshot.ts"
import type { KindName, RowLists, SnapshotContent, SnapshotRow, SnapshotRows } from "./SnapshotContent.ts"
import { joinSecrets, refusedSecrets } from "./snapshotSecrets.ts"

const organizationKinds: ReadonlyArray<OrganizationKind> = kindNames.filter(
  (kind) => kind !== "organizations" && kind !== "endpoints" && kind !== "pipes"
)

type OwnedDocuments = { readonly [Kind in OrganizationKind]: Array<NonNullable<OrganizationSnapshot[Kind]>[number]> }

/**
 * Makes the snapshot of a store's content, without its secrets, for adapters that implement `Snapshots`. Apart from them it is
 * the inverse of {@link snapshotRows}.
 *
 * @example
 * ```ts
 * import { OrganizationId, ServiceId } from "@headgate/core"
 * import { kindNames, makeService, mapKinds, type SnapshotContent, toSnapshot } from "@headgate/core/adapter"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const id = ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d")
 *
 * // The rows of two tables: the snapshot has each service in its organization.
 * const snapshot = toSnapshot({
 *   ...mapKinds<SnapshotContent>(kindNames, () => []),
 *   organizations: [{ id: organizationId, name: "Acme", createdAt: await Effect.runPromise(DateTime.now) }],
 *   services: [{ organizationId, service: await Effect.runPromise(makeService({ id, name: "ingest" })) }]
 * })
 * console.log(snapshot.organizations.map(({ name, services }) => [name, services?.map((service) => service.name)]))
 * // [ [ 'Acme', [ 'ingest' ] ] ]
 * ```
 */
export const toSnapshot = (content: SnapshotContent): Snapshot => ({
  organizations: content.organizations.map((organization) => {
    const owned = <A extends { readonly organizationId: OrganizationId }>(rows: ReadonlyArray<A>) =>
      rows.filter(({ organizationId }) => organizationId === organization.id)
    const endpoints = owned(content.endpoints).map(kinds.endpoints.exported)
    const pipes = owned(content.pipes).map(kinds.pipes.exported)
    const documents: OwnedDocuments = mapKinds(organizationKinds, () => [])
    const add = <Kind extends OrganizationKind>(kind: Kind) => {
      for (const stored of content[kind]) {
        if (stored.organizationId === organization.id) documents[kind].push(kinds[kind].exported(stored))
      }
    }
    organizationKinds.forEach(add)
    const services = documents.services.map((service) => {
      const ofService = ({ serviceId }: { readonly serviceId: string }) => serviceId === service.id
      const own = endpoints.filter(ofService)
      const reversePrivateEndpoints = own.length === 0 ? {} : { reversePrivateEndpoints: own }
      return { ...service, ...reversePrivateEndpoints, pipes: pipes.filter(ofService) }
    })
    return { ...kinds.organizations.exported(organization), ...documents, services }
  })
})

/** The documents of one kind in a snapshot, with their paths in it. */
const documentsOf = <Kind extends KindName>(kind: Kind, { organizations }: Snapshot) =>
  organizations.flatMap((organization, index) =>
    kinds[kind].documentsIn(organization).map(({ document, path, service }) => {
      const start = `organizations[${index}]`
      return { path: path === "" ? start : `${start}.${path}`, document, organization, service }
    })
  )

const rowsOf = Effect.fnUntraced(function* (snapshot: Snapshot) {
  const rows: RowLists = mapKinds(kindNames, () => [])
  const add = <Kind extends KindName>(kind: Kind) =>
    Effect.forEach(
      documentsOf(kind, snapshot),
      ({ document, organization, path }) => {
        const organizationId = OrganizationId.make(organization.id.toLowerCase())
        return Effect.map(kinds[kind].imported(document, organizationId, organization), (value) =>
          rows[kind].push({ path, value })
        )
      },
      { discard: true }
    )
  yield* Effect.forEach(kindNames, add, { discard: true })
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

/** The values of one kind that must be unique and occur twice. */
const duplicatesOf = <Kind extends KindName>(kind: Kind, rows: SnapshotRows): ReadonlyArray<FieldIssue> => {
  const { identity, resourceOf } = kinds[kind]
  const [path, of] = identity
  const ids = duplicates(rows[kind], "id", (stored) => resourceOf(stored).id)
  return path === "id" ? ids : [...ids, ...duplicates(rows[kind], path, of)]
}

/** The pipes and endpoints of a snapshot whose `serviceId` is not the id of their service. */
const misplaced = (snapshot: Snapshot): ReadonlyArray<FieldIssue> =>
  (["pipes", "endpoints"] as const).flatMap((kind) =>
    documentsOf(kind, snapshot).flatMap(({ document, path, service }) =>
      service === undefined || document.serviceId.toLowerCase() === service.id.toLowerCase()
        ? []
        : [{ path: `${path}.serviceId`, message: `Expected ${service.id}, the id of its service` }]
    )
  )

/** The roles of keys that are not in the snapshot, and the custom roles with the id of a system role. */
const wrongRoles = (snapshot: Snapshot): ReadonlyArray<FieldIssue> =>
  snapshot.organizations.flatMap(({ keys = [], roles = [] }, o) => {
    const customRoles = roles.map(importedRole)
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
  const rows: SnapshotRows = yield* rowsOf(snapshot)
  const issues = [
    ...kindNames.flatMap((kind) => duplicatesOf(kind, rows)),
    ...misplaced(snapshot),
    ...wrongRoles(snapshot),
    ...wrongSecrets(rows),
    ...documentIssues(snapshot),
    ...refused
  ]
  if (issues.length > 0) return yield* invalidRequest(issues)
  return secrets === undefined || isSealed ? rows : yield* joinSecrets(rows, secrets)
})
