import { type OrganizationId, versionOf } from "@headgate/core"
import {
  checkVersion,
  type CountedKind,
  type DocumentRules,
  noOrganization,
  type OwnedDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { deleteAlerts, findNamed } from "./findNamed.ts"
import {
  type CountedMap,
  creationTerms,
  inOneStep,
  insertWithinLimits,
  MemoryStore,
  replaceWithinLimit
} from "../MemoryStore.ts"

interface Owned {
  readonly organizationId: OrganizationId
}

/** One kind of documents. */
interface Kind<
  Key extends string,
  Id extends Key,
  Address,
  Request,
  Document extends object,
  Missing,
  Stored extends Owned
> extends DocumentRules<Request, Stored> {
  readonly counted: CountedKind
  readonly mapOf: (store: MemoryStore["Service"]) => CountedMap<Key, Stored>
  readonly idOf: (stored: Stored) => Id
  readonly documentOf: (stored: Stored) => Document
  readonly idIn: (address: Address) => Id
  readonly notFound: (id: Id) => Missing
}

/** The port to the documents of one kind, for each organization. */
export const memoryDocuments = Effect.fnUntraced(function* <
  Key extends string,
  Id extends Key,
  Address,
  Request,
  Document extends object,
  Missing,
  Stored extends Owned
>(kind: Kind<Key, Id, Address, Request, Document, Missing, Stored>) {
  const store = yield* MemoryStore
  const random = yield* SecureRandom
  const { counted, deletion, documentOf, idIn, idOf, make, mapOf, notFound, replace } = kind
  const map = mapOf(store)
  const named = findNamed(store)

  const find = (organizationId: OrganizationId, id: Id): Effect.Effect<Stored, Missing> =>
    Effect.suspend(() => {
      const stored = map.get(id)
      return stored?.organizationId === organizationId ? Effect.succeed(stored) : Effect.fail(notFound(id))
    })

  const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: Request) {
    const terms = yield* creationTerms
    const made = yield* Effect.provideService(make(organizationId, request), SecureRandom, random)
    if (!store.organizations.has(organizationId)) return yield* noOrganization(organizationId)
    const stored = yield* made(named(organizationId))
    const refused = insertWithinLimits(store, terms, counted, map, idOf(stored), stored)
    return refused === undefined ? documentOf(stored) : yield* refused
  }, inOneStep)

  const list = (organizationId: OrganizationId) =>
    Effect.sync(() =>
      Array.from(map.values())
        .filter((stored) => stored.organizationId === organizationId)
        .map(documentOf)
    )

  const get = (organizationId: OrganizationId, id: Id) => Effect.map(find(organizationId, id), documentOf)

  const update = Effect.fnUntraced(function* (organizationId: OrganizationId, id: Id, request: Request) {
    const checked = yield* replace(request)
    const replaced = yield* checked(id, named(organizationId))
    const stored = yield* replaced(yield* find(organizationId, id))
    yield* replaceWithinLimit(store, map, id, stored)
    return documentOf(stored)
  }, inOneStep)

  const remove = Effect.fnUntraced(function* (organizationId: OrganizationId, id: Id) {
    yield* checkVersion(versionOf(documentOf(yield* find(organizationId, id))) ?? 1)
    const alerts = yield* deletion(id, named(organizationId))
    map.delete(id)
    deleteAlerts(store, alerts)
  }, inOneStep)

  // It is called for each request, so the methods are made above, once for all organizations.
  return (organizationId: OrganizationId): OwnedDocuments<Address, Request, Document, Missing> => ({
    create: (request) => create(organizationId, request),
    list: () => list(organizationId),
    get: (address) => get(organizationId, idIn(address)),
    update: (address, request) => update(organizationId, idIn(address), request),
    delete: (address) => remove(organizationId, idIn(address))
  })
})
