import * as Schema from "effect/Schema"
import type { FieldIssue } from "../error/FieldIssue.ts"
import type { ApiKey, AssignedRole } from "./ApiKey.ts"
import { type Role, systemRoleIds, systemRoles } from "./Role.ts"
import { RoleId, SystemRole } from "../id/role.ts"

/** The roles of a key in a request: by name, by id, or both. */
export interface RequestedRoles {
  readonly roles?: ReadonlyArray<SystemRole>
  readonly assignedRoleIds?: ReadonlyArray<RoleId>
}

/** The two fields of a key that hold its roles. */
interface KeyRoles {
  readonly roles: ReadonlyArray<SystemRole>
  readonly assignedRoles: ReadonlyArray<AssignedRole>
}

/** UUIDs are equal in capitals and in small letters. */
const lowerCase = (id: RoleId): RoleId => RoleId.make(id.toLowerCase())

// Some clients always send an empty `assignedRoleIds`: beside `roles` it counts as absent.
const idsOf = ({ assignedRoleIds = [], roles = [] }: RequestedRoles): ReadonlyArray<RoleId> =>
  Array.from(
    new Set(assignedRoleIds.length > 0 ? assignedRoleIds.map(lowerCase) : roles.map((name) => systemRoleIds[name]))
  )

const systemRoleOf = (id: RoleId) => systemRoles.find((role) => role.id === id)

/** The ids of the custom roles that a request names, each once. A store reads these roles before it assigns them. */
export const customRoleIds = (request: RequestedRoles): ReadonlyArray<RoleId> =>
  idsOf(request).filter((id) => systemRoleOf(id) === undefined)

/**
 * What is wrong with the roles of a request: an id that no role of the organization has, or `roles` and `assignedRoleIds`
 * that name different system roles.
 */
export const roleIssues = (
  request: RequestedRoles,
  customRoles: ReadonlyArray<Pick<Role, "id">>
): ReadonlyArray<FieldIssue> => {
  const { assignedRoleIds = [], roles } = request
  const known = new Set([...systemRoles, ...customRoles].map(({ id }) => id))
  const unknown = assignedRoleIds.flatMap((id, index) =>
    known.has(lowerCase(id))
      ? []
      : [{ path: `assignedRoleIds[${index}]`, message: "Expected the id of a role of the organization" }]
  )
  const byId = new Set(idsOf(request).flatMap((id) => systemRoleOf(id)?.name ?? []))
  const agree = roles === undefined || (byId.size === new Set(roles).size && roles.every((name) => byId.has(name)))
  return agree
    ? unknown
    : [
        ...unknown,
        { path: "assignedRoleIds", message: "Expected the same system roles as in roles, or only one of both" }
      ]
}

/**
 * The roles of a key, as a request without {@link roleIssues} names them, each once.
 */
export const assignRoles = (request: RequestedRoles, customRoles: ReadonlyArray<Role>): KeyRoles => {
  const ids = idsOf(request)
  const all: ReadonlyArray<Role> = [...systemRoles, ...customRoles]
  return {
    roles: ids.flatMap((id) => systemRoleOf(id)?.name ?? []),
    assignedRoles: ids.flatMap((id) =>
      all
        .filter((role) => role.id === id)
        .map(({ name, type }) => ({ roleId: id, roleName: name, roleType: type ?? "custom" }))
    )
  }
}

const isRoleId = Schema.is(RoleId)

/** The roles that a stored key has. */
export const assignedIds = ({ assignedRoles, roles }: ApiKey): RequestedRoles => ({
  roles: roles ?? [],
  assignedRoleIds: (assignedRoles ?? []).flatMap(({ roleId }) => (isRoleId(roleId) ? [roleId] : []))
})

const systemIds: ReadonlySet<string> = new Set(Object.values(systemRoleIds))

/**
 * Whether a key has custom roles. Every request asks for its key, whose roles are system roles nearly always: a look at the
 * three ids.
 */
export const hasCustomRoles = ({ assignedRoles }: ApiKey): boolean =>
  assignedRoles?.some(({ roleId }) => isRoleId(roleId) && !systemIds.has(roleId.toLowerCase())) === true

/** The ids of the custom roles that a key has. They grant nothing. */
export const customRolesOf = (key: ApiKey): ReadonlyArray<RoleId> => customRoleIds(assignedIds(key))

/**
 * A stored key as it is answered: with the names that its custom roles have now. A key from before there were
 * `assignedRoles` gets them from its `roles`.
 *
 * @example
 * ```ts
 * import type { ApiKey, Role, RoleId } from "@headgate/core"
 * import { keyRules } from "@headgate/core/adapter"
 *
 * // `ApiKeys.get` over two maps.
 * export const answer = (key: ApiKey, roles: ReadonlyMap<RoleId, Role>): ApiKey =>
 *   keyRules.withRoleNames(key, keyRules.customRolesOf(key).flatMap((id) => roles.get(id) ?? []))
 * ```
 */
export const withRoleNames = (key: ApiKey, customRoles: ReadonlyArray<Role>): ApiKey => ({
  ...key,
  ...assignRoles(assignedIds(key), customRoles)
})
