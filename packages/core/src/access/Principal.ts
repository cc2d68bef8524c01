import * as Schema from "effect/Schema"
import type { ApiKeyId } from "../id/key.ts"
import type { SystemRole } from "../id/role.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { TokenId } from "../id/token.ts"

/**
 * The permission that an operation requires, as `noun:verb`. These are decided. Contract:
 * docs/wire-contract.md#access.
 */
export const Permission = Schema.Literals([
  "organization:read",
  "service:read",
  "service:update",
  "pipe:read",
  "pipe:create",
  "pipe:update",
  "pipe:delete",
  "pipe:discover",
  "data:read",
  "endpoint:read",
  "endpoint:write",
  "key:read",
  "key:create",
  "key:update",
  "key:delete",
  "role:read",
  "role:write",
  "dashboard:read",
  "dashboard:create",
  "dashboard:update",
  "dashboard:delete",
  "dashboard:validate",
  "connection:read",
  "connection:write",
  "source:read",
  "source:write",
  "savedSearch:read",
  "savedSearch:write",
  "webhook:read",
  "webhook:write",
  "alert:read",
  "alert:write",
  "chart:query",
  "console:open"
])
export type Permission = typeof Permission.Type

/** What every valid key may do, also one without roles: read its own organization, and sign in to the console. */
const ofEveryKey: ReadonlyArray<Permission> = ["organization:read", "console:open"]

/** What a session of the console may not do, whatever its key may: it makes no further sessions. */
const notOfSession: ReadonlyArray<Permission> = ["console:open"]

const ofRole: Record<SystemRole, ReadonlyArray<Permission>> = {
  admin: Permission.literals,
  // Everything that changes nothing, but the rows of pipes: `data:read`.
  developer: [
    "service:read",
    "pipe:read",
    "pipe:discover",
    "endpoint:read",
    "key:read",
    "role:read",
    "dashboard:read",
    "dashboard:validate",
    "connection:read",
    "source:read",
    "savedSearch:read",
    "webhook:read",
    "alert:read"
  ],
  // A key with this role calls saved queries, which these APIs do not have.
  query_endpoints: []
}

/** What every bearer token may do in the observability API. What it may do beside this is granted to it: {@link TokenGrant}. */
const ofToken: ReadonlyArray<Permission> = [
  "dashboard:read",
  "dashboard:create",
  "dashboard:update",
  "dashboard:delete",
  "dashboard:validate",
  "connection:read",
  "connection:write",
  "source:read",
  "source:write",
  "savedSearch:read",
  "savedSearch:write",
  "webhook:read",
  "webhook:write",
  "alert:read",
  "alert:write"
]

/**
 * A permission of the observability API that a token has only if it was granted: those that are younger than tokens. A new token has all
 * of them, and one that is older gets them from the operator.
 */
export const TokenGrant = Permission.pick(["chart:query"])
export type TokenGrant = typeof TokenGrant.Type

/**
 * Whether a key with these roles has a permission. Every key may read its organization, `developer` grants reading and
 * validation, `admin` grants all: this is decided. Contract: docs/wire-contract.md#access.
 *
 * @example
 * ```ts
 * import { isPermitted } from "@headgate/core/adapter"
 *
 * console.log(isPermitted(["developer"], "pipe:read")) // true
 * console.log(isPermitted(["developer"], "pipe:delete")) // false
 * console.log(isPermitted(undefined, "pipe:read")) // false
 * console.log(isPermitted(undefined, "organization:read")) // true
 * ```
 */
export const isPermitted = (roles: ReadonlyArray<SystemRole> | null | undefined, permission: Permission): boolean =>
  ofEveryKey.includes(permission) || (roles ?? []).some((role) => ofRole[role].includes(permission))

/**
 * A caller of the management API, authenticated with an API key, or of either API with a session that was made for the key. Contract:
 * docs/wire-contract.md#access.
 */
export interface KeyPrincipal {
  readonly _tag: "KeyPrincipal"
  /** The owner of the key: the only organization whose resources the caller may use. */
  readonly organizationId: OrganizationId
  /** The key as a resource. */
  readonly keyId: ApiKeyId
  /** The name of the key. */
  readonly keyName: string
  /** The last 4 characters of the key ID, as logs show them; empty if they are not known. */
  readonly keySuffix: string
  /** Empty: the caller may read its organization and nothing else. */
  readonly roles: ReadonlyArray<SystemRole>
  /** Whether the key has roles that its organization made itself. They grant nothing. */
  readonly hasCustomRoles: boolean
  /** Whether the caller came with a session of the console that was made for the key, not with the key's secret. */
  readonly isSession: boolean
}

/** A caller of the observability API, authenticated with a bearer token. Contract: docs/wire-contract.md#access. */
export interface TokenPrincipal {
  readonly _tag: "TokenPrincipal"
  /** The organization whose dashboards the caller uses. */
  readonly organizationId: OrganizationId
  readonly tokenId: TokenId
  /** What it may do beside what every token may. */
  readonly grants: ReadonlyArray<TokenGrant>
}

/** An authenticated caller. */
export type Principal = KeyPrincipal | TokenPrincipal

/**
 * Whether a principal has a permission: a key has those of its roles, a session of the console those of its key
 * without `console:open`, a token has those of every token and those that it was granted.
 * Contract: docs/wire-contract.md#access; the rules are decided.
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
    ? isPermitted(principal.roles, permission) && !(principal.isSession && notOfSession.includes(permission))
    : ofToken.includes(permission) || principal.grants.some((granted) => granted === permission)

/**
 * All permissions of a principal, in the order of `Permission`: what `GET /v1/whoami` and a session of the console say.
 * Contract: docs/wire-contract.md#access.
 *
 * @example
 * ```ts
 * import { permissionsOf, type Principal } from "@headgate/core/adapter"
 *
 * export const canReadRows = (principal: Principal): boolean => permissionsOf(principal).includes("data:read")
 * ```
 */
export const permissionsOf = (principal: Principal): ReadonlyArray<Permission> =>
  Permission.literals.filter((permission) => isAuthorized(principal, permission))
