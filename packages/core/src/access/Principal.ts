import * as Schema from "effect/Schema"
import type { ApiKeyId, Role } from "../key/ids.ts"
import type { OrganizationId, TokenId } from "./ids.ts"

/**
 * The permission that an operation requires, as `noun:verb`. The contract (section 5) shows none: these are decided.
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
  // A key with this role calls saved queries, which these APIs do not have.
  query_endpoints: []
}

/**
 * Whether any of the roles grants a permission. The contract (section 5) does not show which role may call which
 * operation: `admin` grants all, `developer` grants reading, `query_endpoints` grants none of these.
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

/** A caller of the management API, authenticated with an API key. Contract: section 5. */
export interface KeyPrincipal {
  readonly _tag: "KeyPrincipal"
  /** The owner of the key: the only organization whose resources the caller may use. */
  readonly organizationId: OrganizationId
  /** The key as a resource. */
  readonly keyId: ApiKeyId
  /** Empty: the caller has no permissions. */
  readonly roles: ReadonlyArray<Role>
}

/** A caller of the observability API, authenticated with a bearer token. Contract: section 5. */
export interface TokenPrincipal {
  readonly _tag: "TokenPrincipal"
  /** The organization whose dashboards the caller uses. */
  readonly organizationId: OrganizationId
  readonly tokenId: TokenId
}

/** An authenticated caller. */
export type Principal = KeyPrincipal | TokenPrincipal

/**
 * Whether a principal has a permission: a key has those of its roles, a token has those on dashboards. Contract: section
 * 5; the rules are decided.
 *
 * @example
 * ```ts
 * import { isAuthorized, type Permission, type Principal } from "@headgate/core/adapter"
 * import { Forbidden } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const requirePermission = (principal: Principal, permission: Permission): Effect.Effect<void, Forbidden> =>
 *   isAuthorized(principal, permission)
 *     ? Effect.void
 *     : Effect.fail(new Forbidden({ message: `${permission} is not granted` }))
 * ```
 */
export const isAuthorized = (principal: Principal, permission: Permission): boolean =>
  principal._tag === "KeyPrincipal"
    ? isPermitted(principal.roles, permission)
    : permission === "dashboard:read" || permission === "dashboard:create"
