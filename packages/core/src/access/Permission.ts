import * as Schema from "effect/Schema"
import type { Role } from "../key/Role.ts"

/**
 * What an operation needs its caller to be allowed: a noun, the resource, and a verb, what is done to it. The contract
 * (section 5) shows none: these are decided, one for each operation.
 */
export const Permission = Schema.Literals([
  "pipe:read",
  "pipe:delete",
  "key:create",
  "dashboard:read",
  "dashboard:create"
])
/** What {@link Permission} decodes to. */
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
 *
 * @example
 * ```ts
 * import { isPermitted } from "@headgate/core/access"
 *
 * console.log(isPermitted(["developer"], "pipe:read")) // true
 * console.log(isPermitted(["developer"], "pipe:delete")) // false
 * console.log(isPermitted(undefined, "pipe:read")) // false
 * ```
 */
export const isPermitted = (roles: ReadonlyArray<Role> | null | undefined, permission: Permission): boolean =>
  (roles ?? []).some((role) => granted[role].includes(permission))
