import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "../error/CallError.ts"
import { TokenNotFound } from "../error/NotFound.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { OrganizationId } from "../id/organization.ts"
import { TokenId } from "../id/token.ts"
import type { TokenGrant } from "./Principal.ts"

/**
 * A bearer token of an organization, without its secret. The operator of the server creates it with
 * {@link Tokens}. `name` has 1 to 255 characters. Contract: docs/wire-contract.md#access.
 */
export const Token = looseStruct({
  id: TokenId,
  name: Schema.String.check(Schema.isBetweenCodePoints(1, 255, { message: "Expected 1 to 255 characters" })),
  createdAt: Timestamp
}).pipe(withIdentifier("Token", "A bearer token of an organization, without its secret."))
export type Token = typeof Token.Type

/** A new bearer token with its secret. The secret cannot be read again. */
export interface CreatedToken {
  readonly token: Token
  /** The bearer token: `hgt_` and 40 characters, about 238 bits. */
  readonly secret: Redacted.Redacted
}

/**
 * The port to bearer tokens, for the operator of a server. Only adapters that store tokens have it: there is no
 * operation on tokens. Contract: docs/wire-contract.md#access.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { type TokenId, Tokens } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // Creates a token and revokes the old one. Only this result holds the new `secret`.
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
    /** Creates a token. Only this result holds its secret. Fails with `InvalidRequest` for a bad name. */
    readonly create: (organizationId: OrganizationId, name: string) => Effect.Effect<CreatedToken, InvalidRequest>
    /** The organization's tokens, newest last. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Token>>
    /**
     * Grants a token a permission that it was not made with; nothing changes if it has it. It counts at the next request. Fails with
     * `TokenNotFound`.
     */
    readonly grant: (
      organizationId: OrganizationId,
      tokenId: TokenId,
      permission: TokenGrant
    ) => Effect.Effect<void, TokenNotFound>
    /** Revokes a token at once. Fails with `TokenNotFound`. */
    readonly revoke: (organizationId: OrganizationId, tokenId: TokenId) => Effect.Effect<void, TokenNotFound>
  }
>()("@headgate/core/access/Tokens") {}
