import { type RoleAddress, Roles, versionOf } from "@headgate/core"
import { checkVersion, keyRules, notFound, roleRules, systemRoles } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SecureRandom } from "effect/crypto/SecureRandom"
import {
  creationTerms,
  customRoles,
  inOneStep,
  insertWithinLimits,
  MemoryStore,
  replaceWithinLimit
} from "../MemoryStore.ts"

const layer: Layer.Layer<Roles, never, MemoryStore | SecureRandom> = Layer.effect(
  Roles,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { keys, roles } = store
    const random = yield* SecureRandom

    const findCustom = Effect.fnUntraced(function* ({ organizationId, roleId }: RoleAddress) {
      const stored = roles.get(roleId)
      return stored?.organizationId === organizationId
        ? stored.role
        : yield* notFound("RoleNotFound", { organizationId, roleId })
    })

    return Roles.of({
      list: ({ organizationId }) => Effect.sync(() => [...systemRoles, ...customRoles(store, organizationId)]),
      get: Effect.fnUntraced(function* (address) {
        return roleRules.system(address.roleId) ?? (yield* findCustom(address))
      }),
      create: Effect.fnUntraced(
        function* ({ organizationId }, request) {
          const terms = yield* creationTerms
          const role = yield* roleRules.make(organizationId, request)
          const refused = insertWithinLimits(store, terms, "roles", roles, role.id, { organizationId, role })
          return refused === undefined ? role : yield* refused
        },
        Effect.provideService(SecureRandom, random)
      ),
      update: Effect.fnUntraced(
        function* (address, request) {
          const { organizationId, roleId } = address
          const change = yield* roleRules.prepareUpdate(organizationId, roleId, request)
          const role = yield* change(yield* findCustom(address))
          yield* replaceWithinLimit(store, roles, roleId, { organizationId, role })
          return role
        },
        Effect.provideService(SecureRandom, random),
        inOneStep
      ),
      delete: Effect.fnUntraced(function* (address) {
        const { organizationId, roleId } = address
        yield* roleRules.refuseSystem(roleId)
        yield* checkVersion(versionOf(yield* findCustom(address)) ?? 1)
        const users = keys.ownedBy(organizationId).filter(({ key }) => keyRules.customRolesOf(key).includes(roleId))
        if (users.length > 0) return yield* roleRules.inUse(users.length)
        roles.delete(roleId)
      }, inOneStep)
    })
  })
)

/** The `Roles` port over a {@link MemoryStore}. */
export const MemoryRoles = { layer }
