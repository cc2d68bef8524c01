import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { hashCredential } from "./CredentialHash.ts"
import { OrganizationId } from "./OrganizationId.ts"
import { randomText } from "./RandomText.ts"

/** What a store keeps of a bearer token: never the token, only its hash. */
export const TokenRecord = Schema.Struct({
  organizationId: OrganizationId,
  name: Schema.String,
  /** base64(sha256(token)); unique in a store. */
  tokenHash: Schema.String
})
export type TokenRecord = typeof TokenRecord.Type

/** A fresh bearer token and the hash a store keeps of it. */
export interface IssuedToken {
  /** `hgt_` and 40 characters, about 238 bits. */
  readonly token: Redacted.Redacted
  readonly tokenHash: string
}

/** Makes a bearer token. How one is obtained is not shown in the contract (section 5): the server mints it. */
export const issueToken = Effect.gen(function* () {
  const token = `hgt_${yield* randomText(40)}`
  const issued: IssuedToken = {
    token: Redacted.make(token, { label: "token" }),
    tokenHash: yield* hashCredential(token)
  }
  return issued
})
