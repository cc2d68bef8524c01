import { type ApiKey, type ApiKeyAddress, ApiKeys, type Role, versionOf } from "@headgate/core"
import { checkVersion, consoleRules, invalidRequest, keyRules, notFound, withVersion } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import {
  creationTerms,
  customRoles,
  inOneStep,
  insertWithinLimits,
  MemoryStore,
  replaceWithinLimit
} from "../MemoryStore.ts"

/** The key as it is answered, with its version. */
const answered = (key: ApiKey, roles: ReadonlyArray<Role>): ApiKey =>
  withVersion(keyRules.withRoleNames(key, roles), versionOf(key) ?? 1)

const layer: Layer.Layer<ApiKeys, never, MemoryStore | Digest | SecureRandom> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { keys } = store
    const digest = yield* Digest
    const random = yield* SecureRandom

    const find = Effect.fnUntraced(function* ({ keyId, organizationId }: ApiKeyAddress) {
      const record = keys.byId(keyId)
      return record?.organizationId === organizationId
        ? record
        : yield* notFound("KeyNotFound", { organizationId, keyId })
    })

    return ApiKeys.of({
      list: ({ organizationId }) =>
        Effect.sync(() => {
          const roles = customRoles(store, organizationId)
          return keys.ownedBy(organizationId).map(({ key }) => answered(key, roles))
        }),
      get: Effect.fnUntraced(function* (address) {
        const { key } = yield* find(address)
        return answered(key, customRoles(store, address.organizationId))
      }),
      create: Effect.fnUntraced(
        function* ({ organizationId }, request) {
          const terms = yield* creationTerms
          const { created, record } = yield* keyRules.make(organizationId, request, customRoles(store, organizationId))
          // No yield between the checks and the changes, so no other fiber runs between them.
          // A role may have been deleted while the credentials were hashed.
          const issues = keyRules.roleIssues(request, customRoles(store, organizationId))
          if (issues.length > 0) return yield* invalidRequest(issues)
          if (keys.has(record.keyIdHash)) return yield* keyRules.duplicateId()
          const refused = insertWithinLimits(store, terms, "keys", keys, record.keyIdHash, record)
          return refused === undefined ? created : yield* refused
        },
        Effect.provideService(Digest, digest),
        Effect.provideService(SecureRandom, random)
      ),
      update: Effect.fnUntraced(function* (address, request) {
        const changes = yield* keyRules.validateUpdate(request)
        const record = yield* find(address)
        const roles = customRoles(store, address.organizationId)
        const key = yield* keyRules.change(record.key, changes, roles)
        yield* replaceWithinLimit(store, keys, record.keyIdHash, { ...record, key })
        if (consoleRules.areEnded(record.key, key, yield* Clock.currentTimeMillis)) keys.endConsole(key.id)
        return answered(key, roles)
      }, inOneStep),
      delete: Effect.fnUntraced(function* (address) {
        yield* keyRules.refuseOwnDeletion(address.keyId)
        const record = yield* find(address)
        yield* checkVersion(versionOf(record.key) ?? 1)
        keys.delete(record.keyIdHash)
      }, inOneStep)
    })
  })
)

/** The `ApiKeys` port over a {@link MemoryStore}. */
export const MemoryApiKeys = { layer }
