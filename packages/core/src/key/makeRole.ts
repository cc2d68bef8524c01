import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { checkVersion, versionOf, withVersion } from "../access/Version.ts"
import type { OrganizationId } from "../id/organization.ts"
import { Conflict } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { RoleCreate, RoleUpdate } from "./RoleCreate.ts"
import { type Role, systemRoles } from "./Role.ts"
import { RoleId } from "../id/role.ts"

const validateCreate = validate(RoleCreate)
const validateUpdate = validate(RoleUpdate)

/** The policies of a request as the role has them: with ids. */
const makePolicies = (organizationId: OrganizationId, roleId: RoleId, policies: RoleCreate["policies"]) =>
  Effect.forEach(policies, (policy) =>
    Effect.map(
      SecureRandom.use((random) => random.uuidV4()),
      (id) => ({ id, roleId, tenantId: `organization/${organizationId}`, ...policy })
    )
  )

/**
 * Makes a custom role from a request. Fails with `InvalidRequest` for a bad field. The store then checks its limit.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core"
 * import { roleRules } from "@headgate/core/adapter"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const role = roleRules.make(organizationId, { name: "auditor", actors: [], policies: [] })
 * const { type } = await Effect.runPromise(Effect.provide(role, SecureRandom.layerWebCrypto))
 * console.log(type) // custom
 * ```
 */
const makeRole = Effect.fnUntraced(function* (organizationId: OrganizationId, request: RoleCreate) {
  const { actors, name, policies } = yield* validateCreate(request)
  const random = yield* SecureRandom
  const id = RoleId.make(yield* random.uuidV4())
  const owner = `organization/${organizationId}`
  const now = yield* DateTime.now
  const role: Role = {
    id,
    tenantId: owner,
    ownerId: owner,
    name,
    type: "custom",
    actors,
    policies: yield* makePolicies(organizationId, id, policies),
    createdAt: now,
    updatedAt: now
  }
  return withVersion(role, 1)
})

/** The system role with this id. */
export const systemRole = (roleId: RoleId): Role | undefined => systemRoles.find(({ id }) => id === roleId)

/** Fails with a `Conflict` for the id of a system role, which every organization has as it is. */
const refuseSystemRole = (roleId: RoleId): Effect.Effect<void, Conflict> => {
  const role = systemRole(roleId)
  return role === undefined
    ? Effect.void
    : Effect.fail(new Conflict({ message: `${role.name} is a system role, which cannot be changed or deleted` }))
}

/**
 * Checks the changes to a role before it is read, and returns the function that applies them in the transaction of the
 * change: it returns the role with its new version, or unchanged if there are no changes. Fails with `Conflict` for a system
 * role and with `InvalidRequest` for a bad field; the function fails with `PreconditionFailed` if the role does not have the
 * version of `IfMatch`.
 *
 * @example
 * ```ts
 * import { type OrganizationId, type Role, type RoleId, type RoleUpdate, versionOf } from "@headgate/core"
 * import { checkVersion, notFound, roleRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `Roles.get`, `update` and `delete` over a map. `keysWith` counts the keys that have a role.
 * const roles = new Map<RoleId, Role>()
 * declare const keysWith: (id: RoleId) => number
 * export const get = (owner: OrganizationId, id: RoleId) =>
 *   Effect.suspend(() => {
 *     const role = roleRules.system(id) ?? roles.get(id)
 *     return role === undefined ? Effect.fail(notFound("RoleNotFound", { organizationId: owner, roleId: id })) : Effect.succeed(role)
 *   })
 * export const update = Effect.fn("update")(function* (owner: OrganizationId, id: RoleId, request: RoleUpdate) {
 *   const change = yield* roleRules.prepareUpdate(owner, id, request)
 *   const changed = yield* change(yield* get(owner, id))
 *   roles.set(id, changed)
 *   return changed
 * })
 * export const remove = Effect.fn("remove")(function* (owner: OrganizationId, id: RoleId) {
 *   yield* roleRules.refuseSystem(id)
 *   yield* checkVersion(versionOf(yield* get(owner, id)) ?? 1)
 *   if (keysWith(id) > 0) return yield* roleRules.inUse(keysWith(id))
 *   roles.delete(id)
 * })
 * ```
 */
const prepareRoleUpdate = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  roleId: RoleId,
  request: RoleUpdate
) {
  const valid = yield* validateUpdate(request)
  const { policies, ...changes } = valid
  yield* refuseSystemRole(roleId)
  const made = policies === undefined ? {} : { policies: yield* makePolicies(organizationId, roleId, policies) }
  const updatedAt = yield* DateTime.now
  return Effect.fnUntraced(function* (role: Role) {
    const version = versionOf(role) ?? 1
    yield* checkVersion(version)
    if (Object.keys(valid).length === 0) return role
    const changed: Role = { ...role, ...changes, ...made, updatedAt }
    return withVersion(changed, version + 1)
  })
})

/** The error of deleting a role that keys have. */
const roleInUse = (keys: number): Conflict =>
  new Conflict({ message: `the role is assigned to ${keys} ${keys === 1 ? "key" : "keys"}: take it from them first` })

/** The rules of every store of roles. */
export const roleRules = {
  /** Makes a custom role from a request. */
  make: makeRole,
  /** Checks the changes to a role before it is read, and returns the function that applies them. */
  prepareUpdate: prepareRoleUpdate,
  /** The system role with this id. */
  system: systemRole,
  /** Fails for the id of a system role. */
  refuseSystem: refuseSystemRole,
  /** The error of deleting a role that keys have. */
  inUse: roleInUse
}
