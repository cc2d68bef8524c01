import type { ApiKeyId } from "../key/ApiKeyId.ts"
import type { Role } from "../key/Role.ts"
import type { OrganizationId } from "./OrganizationId.ts"
import { isPermitted, type Permission } from "./Permission.ts"
import type { TokenId } from "./Token.ts"

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
 * import { mayDo, type Permission, type Principal } from "@headgate/core/access"
 * import { Forbidden } from "@headgate/core/error"
 * import * as Effect from "effect/Effect"
 *
 * export const permit = (principal: Principal, permission: Permission): Effect.Effect<void, Forbidden> =>
 *   mayDo(principal, permission)
 *     ? Effect.void
 *     : Effect.fail(new Forbidden({ message: `${permission} is not granted` }))
 * ```
 */
export const mayDo = (principal: Principal, permission: Permission): boolean =>
  principal._tag === "KeyPrincipal"
    ? isPermitted(principal.roles, permission)
    : permission === "dashboard:read" || permission === "dashboard:create"
