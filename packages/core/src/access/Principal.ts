import * as Schema from "effect/Schema"
import type { ApiKeyId, Role } from "../key/ids.ts"
import type { OrganizationId, TokenId } from "./ids.ts"

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
 * import { isPermitted } from "@headgate/core/adapter"
 *
 * console.log(isPermitted(["developer"], "pipe:read")) // true
 * console.log(isPermitted(["developer"], "pipe:delete")) // false
 * console.log(isPermitted(undefined, "pipe:read")) // false
 * ```
 */
export const isPermitted = (roles: ReadonlyArray<Role> | null | undefined, permission: Permission): boolean =>
  (roles ?? []).some((role) => granted[role].includes(permission))

/** A caller who showed the credentials of an API key: the management API. Contract: section 5. */
export interface KeyPrincipal {
  readonly _tag: "KeyPrincipal"
  /** The key's owner: the only organization this caller may work on. */
  readonly organizationId: OrganizationId
  /** The key as a resource. */
  readonly keyId: ApiKeyId
  /** Empty: no rights. */
  readonly roles: ReadonlyArray<Role>
}

/** A caller who showed a bearer token: it stands for its organization on the observability API. Contract: section 5. */
export interface TokenPrincipal {
  readonly _tag: "TokenPrincipal"
  /** Whose dashboards are meant. */
  readonly organizationId: OrganizationId
  readonly tokenId: TokenId
}

/** Who is calling, once the credentials are verified: told apart by `_tag`. */
export type Principal = KeyPrincipal | TokenPrincipal

/**
 * Whether a principal may do something: a key what its roles grant, a token everything on dashboards. Contract: section
 * 5, rules by decision.
 *
 * @example
 * ```ts
 * import { isAuthorized, type Permission, type Principal } from "@headgate/core/adapter"
 * import { Forbidden } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const permit = (principal: Principal, permission: Permission): Effect.Effect<void, Forbidden> =>
 *   isAuthorized(principal, permission)
 *     ? Effect.void
 *     : Effect.fail(new Forbidden({ message: `${permission} is not granted` }))
 * ```
 */
export const isAuthorized = (principal: Principal, permission: Permission): boolean =>
  principal._tag === "KeyPrincipal"
    ? isPermitted(principal.roles, permission)
    : permission === "dashboard:read" || permission === "dashboard:create"
