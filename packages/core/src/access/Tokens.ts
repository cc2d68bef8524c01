import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "../error/CallError.ts"
import { TokenNotFound } from "../error/NotFound.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { OrganizationId, TokenId } from "./ids.ts"

/**
 * A bearer token of an organization, without its secret. How one is obtained is not shown in the contract (section 5):
 * the server's operator mints it, `Tokens`. `name` has 1 to 255 characters.
 */
export const Token = looseStruct({
  id: TokenId,
  name: Schema.String.check(Schema.isBetweenLength(1, 255, { message: "Expected 1 to 255 characters" })),
  createdAt: Timestamp
}).pipe(withIdentifier("Token"))
export type Token = typeof Token.Type

/** A new bearer token with its secret, which is shown this once. */
export interface CreatedToken {
  /** What is listed of it later. */
  readonly token: Token
  /** What a caller sends: `hgt_` and 40 characters, about 238 bits. */
  readonly secret: Redacted.Redacted
}

/**
 * The port to bearer tokens, for whoever runs the server: only adapters that hold tokens have it. No operation of the
 * contract makes one (section 5).
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { type TokenId, Tokens } from "@headgate/core/adapter"
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
