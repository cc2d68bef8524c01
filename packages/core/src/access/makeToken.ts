import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { decodeRequest } from "../error/validate.ts"
import { looseStruct } from "../schema/LooseStruct.ts"
import { hashCredential, randomText } from "./CredentialHash.ts"
import { TokenGrant } from "./Principal.ts"
import { type CreatedToken, Token } from "./Tokens.ts"
import { OrganizationId } from "../id/organization.ts"
import { TokenId } from "../id/token.ts"

/** A bearer token as it is stored: with its hash, without its secret. Made by {@link makeToken}. */
export const TokenRecord = Schema.Struct({
  organizationId: OrganizationId,
  token: Token,
  /** base64(sha256(token)); unique in a store. */
  tokenHash: Schema.String,
  grants: Schema.Array(TokenGrant)
})
export type TokenRecord = typeof TokenRecord.Type

/** A new bearer token. */
export interface NewToken {
  /** For the caller, with the secret. */
  readonly created: CreatedToken
  /** For the store, without the secret. */
  readonly record: TokenRecord
}

const readName = decodeRequest(looseStruct({ name: Token.schema.fields.name }))

/**
 * Makes a bearer token, with all grants. Every adapter that stores tokens uses this rule. Fails with `InvalidRequest` when `name` is empty
 * or has more than 255 characters.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core"
 * import { makeToken } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const issued = makeToken(organizationId, "grafana").pipe(
 *   Effect.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
 * )
 * const { created, record } = await Effect.runPromise(issued)
 * console.log(`${created.secret}`, record.tokenHash.length) // <redacted:token> 44
 * ```
 */
export const makeToken = Effect.fnUntraced(function* (organizationId: OrganizationId, name: string) {
  const random = yield* SecureRandom
  const named = yield* readName({ name })
  const token: Token = {
    id: TokenId.make(yield* random.uuidV4()),
    name: named.name,
    createdAt: yield* DateTime.now
  }
  const secret = `hgt_${yield* randomText(40)}`
  const issued: NewToken = {
    created: { token, secret: Redacted.make(secret, { label: "token" }) },
    record: { organizationId, token, tokenHash: yield* hashCredential(secret), grants: TokenGrant.literals }
  }
  return issued
})
