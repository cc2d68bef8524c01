import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { checked } from "../error/checked.ts"
import { hashCredential } from "./CredentialHash.ts"
import { OrganizationId } from "./OrganizationId.ts"
import { randomText } from "./RandomText.ts"
import { Token, TokenId } from "./Token.ts"

/** What a store keeps of a bearer token: never the token, only its hash. */
export const TokenRecord = Schema.Struct({
  organizationId: OrganizationId,
  token: Token,
  /** base64(sha256(token)); unique in a store. */
  tokenHash: Schema.String
})
export type TokenRecord = typeof TokenRecord.Type

/** A new bearer token with its secret, which is shown this once. */
export interface CreatedToken {
  readonly token: Token
  /** What a caller sends: `hgt_` and 40 characters, about 238 bits. */
  readonly secret: Redacted.Redacted
}

/** A new bearer token: what its maker is shown once, and what a store keeps. */
export interface IssuedToken {
  readonly created: CreatedToken
  readonly record: TokenRecord
}

const checkedToken = checked(Token)

/**
 * Makes a bearer token: the rule that every store shares. How one is obtained is not shown in the contract (section
 * 5): the server mints it. Fails with `InvalidRequest` when `name` is empty or too long.
 */
export const issueToken = Effect.fnUntraced(function* (organizationId: OrganizationId, name: string) {
  const random = yield* SecureRandom
  const id = TokenId.make(yield* random.uuidV4())
  const token = yield* checkedToken({ id, name, createdAt: yield* DateTime.now })
  const secret = `hgt_${yield* randomText(40)}`
  const issued: IssuedToken = {
    created: { token, secret: Redacted.make(secret, { label: "token" }) },
    record: { organizationId, token, tokenHash: yield* hashCredential(secret) }
  }
  return issued
})
