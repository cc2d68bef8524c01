import type { ApiKeyId } from "../key/ApiKeyId.ts"
import type { Role } from "../key/Role.ts"
import type { OrganizationId } from "./OrganizationId.ts"
import { isPermitted, type Permission } from "./Permission.ts"
import type { TokenId } from "./Token.ts"

/** A caller who showed the credentials of an API key. */
export interface KeyPrincipal {
  readonly _tag: "KeyPrincipal"
  readonly organizationId: OrganizationId
  readonly keyId: ApiKeyId
  readonly roles: ReadonlyArray<Role>
}

/** A caller who showed a bearer token: it stands for its organization on the observability API. */
export interface TokenPrincipal {
  readonly _tag: "TokenPrincipal"
  readonly organizationId: OrganizationId
  readonly tokenId: TokenId
}

/** Who is calling, once the credentials are verified. */
export type Principal = KeyPrincipal | TokenPrincipal

/** Whether a principal may do something: a key what its roles grant, a token everything on dashboards. */
export const mayDo = (principal: Principal, permission: Permission): boolean =>
  principal._tag === "KeyPrincipal"
    ? isPermitted(principal.roles, permission)
    : permission === "dashboard:read" || permission === "dashboard:create"
