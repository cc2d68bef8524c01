import * as Schema from "effect/Schema"
import type { Role } from "../key/Role.ts"

/** What an operation needs its caller to be allowed. The noun is the resource, the verb what is done to it. */
export const Permission = Schema.Literals([
  "pipe:read",
  "pipe:delete",
  "key:create",
  "dashboard:read",
  "dashboard:create"
])
export type Permission = typeof Permission.Type

const granted: Record<Role, ReadonlyArray<Permission>> = {
  admin: Permission.literals,
  developer: ["pipe:read", "dashboard:read"],
  // A key with this role calls saved queries, which are no part of these APIs.
  query_endpoints: []
}

/**
 * Whether any of the roles grants a permission. The contract (section 5) does not show which role may call which
 * operation: an admin may do all, a developer may read, `query_endpoints` grants none of these. No roles, no rights.
 */
export const isPermitted = (roles: ReadonlyArray<Role> | null | undefined, permission: Permission): boolean =>
  (roles ?? []).some((role) => granted[role].includes(permission))
