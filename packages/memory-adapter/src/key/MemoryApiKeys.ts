import { type ApiKey, type ApiKeyAddress, ApiKeys, type Role, versionOf } from "@headgate/core"
import {
  changeApiKey,
  checkVersion,
  duplicateKeyId,
  invalidRequest,
  notFound,
  makeApiKey,
  OrganizationLimits,
  refuseOwnDeletion,
  roleIssues,
  validateApiKeyUpdate,
  withRoleNames,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Digest } from "effect/crypto/Digest"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { customRoles, inOneStep, insertWithinLimits, MemoryStore, replaceWithinLimit } from "../MemoryStore.ts"

/** The key as it is answered, with its version. */
const answered = (key: ApiKey, roles: ReadonlyArray<Role>): ApiKey =>
  withVersion(withRoleNames(key, roles), versionOf(key) ?? 1)

const layer: Layer.Layer<ApiKeys, never, MemoryStore | Digest | SecureRandom> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { keys } = store
    const crypto = yield* Effect.context<Digest | SecureRandom>()

    const find = Effect.fnUntraced(function* ({ keyId, organizationId }: ApiKeyAddress) {
      const record = keys.byId(keyId)
      return record?.organizationId === organizationId
        ? record
        : yield* notFound("KeyNotFound", { organizationId, keyId })
    })

    return ApiKeys.of({
      list: Effect.fn("MemoryApiKeys.list")(({ organizationId }) =>
        Effect.sync(() => {
          const roles = customRoles(store, organizationId)
          return keys.ownedBy(organizationId).map(({ key }) => answered(key, roles))
        })
      ),
      get: Effect.fn("MemoryApiKeys.get")(function* (address) {
        const { key } = yield* find(address)
        return answered(key, customRoles(store, address.organizationId))
      }),
      // Without a span, which keeps a creation cheap.
      create: Effect.fnUntraced(function* ({ organizationId }, request) {
        const limits = yield* OrganizationLimits
        const { created, record } = yield* makeApiKey(organizationId, request, customRoles(store, organizationId))
        // No yield between the checks and the changes, so no other fiber runs between them.
        // A role may have been deleted while the credentials were hashed.
        const issues = roleIssues(request, customRoles(store, organizationId))
        if (issues.length > 0) return yield* invalidRequest(issues)
        if (keys.has(record.keyIdHash)) return yield* duplicateKeyId()
        const refused = insertWithinLimits(store, limits, "keys", keys, record.keyIdHash, record)
        return refused === undefined ? created : yield* refused
      }, Effect.provideContext(crypto)),
      update: Effect.fn("MemoryApiKeys.update")(function* (address, request) {
        const changes = yield* validateApiKeyUpdate(request)
        const record = yield* find(address)
        const roles = customRoles(store, address.organizationId)
        const key = yield* changeApiKey(record.key, changes, roles)
        yield* replaceWithinLimit(store, keys, record.keyIdHash, { ...record, key })
        return answered(key, roles)
      }, inOneStep),
      delete: Effect.fn("MemoryApiKeys.delete")(function* (address) {
        yield* refuseOwnDeletion(address.keyId)
        const record = yield* find(address)
        yield* checkVersion(versionOf(record.key) ?? 1)
        keys.delete(record.keyIdHash)
      }, inOneStep)
    })
  })
)

/** The `ApiKeys` port over a {@link MemoryStore}. */
export const MemoryApiKeys = { layer }
