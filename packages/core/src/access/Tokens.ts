import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "../error/CallError.ts"
import { callFields } from "../error/CallFields.ts"
import { OrganizationId } from "./OrganizationId.ts"
import { type Token, TokenId } from "./Token.ts"
import type { CreatedToken } from "./TokenRecord.ts"

/** The organization has no such bearer token. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>("@headgate/core/access/TokenNotFound")(
  "TokenNotFound",
  { ...callFields, organizationId: OrganizationId, tokenId: TokenId }
) {}

/**
 * The error of a store that holds no such token: for whoever writes an adapter, so that all say the same.
 *
 * @example
 * ```ts
 * import { type OrganizationId, type TokenId, tokenNotFound, type TokenRecord } from "@headgate/core/access"
 * import * as Effect from "effect/Effect"
 *
 * // `Tokens.revoke` over a Map. Another organization's token is not found either.
 * export const revokeIn = (tokens: Map<TokenId, TokenRecord>) => (organizationId: OrganizationId, tokenId: TokenId) =>
 *   Effect.suspend(() => {
 *     if (tokens.get(tokenId)?.organizationId !== organizationId) {
 *       return Effect.fail(tokenNotFound(organizationId, tokenId))
 *     }
 *     tokens.delete(tokenId)
 *     return Effect.void
 *   })
 * ```
 */
export const tokenNotFound = (organizationId: OrganizationId, tokenId: TokenId): TokenNotFound =>
  new TokenNotFound({ message: `the organization has no token ${tokenId}`, organizationId, tokenId })

/**
 * The port to bearer tokens, for whoever runs the server: only adapters that hold tokens have it. No operation of the
 * contract makes one (section 5).
 *
 * @example
 * ```ts
 * import { type OrganizationId, type TokenId, Tokens } from "@headgate/core/access"
 * import * as Effect from "effect/Effect"
 *
 * // Mints a token to take another's place, and revokes that. Its `secret` is in the answer, this once.
 * export const rotate = Effect.fn("rotate")(function* (organizationId: OrganizationId, old: TokenId) {
 *   const tokens = yield* Tokens
 *   const created = yield* tokens.create(organizationId, "grafana")
 *   yield* tokens.revoke(organizationId, old).pipe(Effect.catchTag("TokenNotFound", () => Effect.void))
 *   return created
 * })
 * ```
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** Mints a token. Its secret is in the answer, this once. Fails with `InvalidRequest` for a bad name. */
    readonly create: (organizationId: OrganizationId, name: string) => Effect.Effect<CreatedToken, InvalidRequest>
    /** The organization's tokens, newest last. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Token>>
    /** Revokes a token at once and for good. Fails with `TokenNotFound`. */
    readonly revoke: (organizationId: OrganizationId, tokenId: TokenId) => Effect.Effect<void, TokenNotFound>
  }
>()("@headgate/core/access/Tokens") {}
