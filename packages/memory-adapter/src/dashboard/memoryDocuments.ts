import { type InvalidRequest, type OrganizationId, type PreconditionFailed, versionOf } from "@headgate/core"
import {
  checkVersion,
  type CountedKind,
  exceededLimit,
  OrganizationLimits,
  type OwnedDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type CountedMap, inOneStep, MemoryStore, replaceWithinLimit, usageOf } from "../MemoryStore.ts"

interface Owned {
  readonly organizationId: OrganizationId
}

/** One kind of documents. */
interface Kind<Id extends string, Request, Document extends object, Missing, Stored extends Owned> {
  readonly counted: CountedKind
  /** The name of the spans, as in `MemoryConnections`. */
  readonly name: string
  readonly mapOf: (store: MemoryStore["Service"]) => CountedMap<Id, Stored>
  readonly idOf: (stored: Stored) => Id
  readonly documentOf: (stored: Stored) => Document
  readonly notFound: (id: Id) => Missing
  readonly make: (
    organizationId: OrganizationId,
    request: Request
  ) => Effect.Effect<Stored, InvalidRequest, SecureRandom>
  readonly replace: (
    request: Request
  ) => Effect.Effect<(stored: Stored) => Effect.Effect<Stored, PreconditionFailed>, InvalidRequest>
}

/** The port to the documents of one kind, for each organization. */
export const memoryDocuments = Effect.fnUntraced(function* <
  Id extends string,
  Request,
  Document extends object,
  Missing,
  Stored extends Owned
>(kind: Kind<Id, Request, Document, Missing, Stored>) {
  const store = yield* MemoryStore
  const random = yield* SecureRandom
  const { counted, documentOf, idOf, make, mapOf, name, notFound, replace } = kind
  const map = mapOf(store)

  const find = (organizationId: OrganizationId, id: Id): Effect.Effect<Stored, Missing> =>
    Effect.suspend(() => {
      const stored = map.get(id)
      return stored?.organizationId === organizationId ? Effect.succeed(stored) : Effect.fail(notFound(id))
    })

  return (organizationId: OrganizationId): OwnedDocuments<Id, Request, Document, Missing> => ({
    create: Effect.fn(`${name}.create`)(function* (request) {
      const limits = yield* OrganizationLimits
      const stored = yield* Effect.provideService(make(organizationId, request), SecureRandom, random)
      // No other fiber runs between the change and the check.
      map.set(idOf(stored), stored)
      const exceeded = exceededLimit(counted, usageOf(store, organizationId), limits)
      if (exceeded === undefined) return documentOf(stored)
      map.delete(idOf(stored))
      return yield* exceeded
    }),
    list: Effect.fn(`${name}.list`)(() =>
      Effect.sync(() =>
        Array.from(map.values())
          .filter((stored) => stored.organizationId === organizationId)
          .map(documentOf)
      )
    ),
    get: Effect.fn(`${name}.get`)((id) => Effect.map(find(organizationId, id), documentOf)),
    update: Effect.fn(`${name}.update`)(function* (id, request) {
      const replaced = yield* replace(request)
      const stored = yield* replaced(yield* find(organizationId, id))
      yield* replaceWithinLimit(store, map, id, stored)
      return documentOf(stored)
    }, inOneStep),
    delete: Effect.fn(`${name}.delete`)(function* (id) {
      yield* checkVersion(versionOf(documentOf(yield* find(organizationId, id))) ?? 1)
      map.delete(id)
    }, inOneStep)
  })
})
