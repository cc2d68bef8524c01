import * as Schema from "effect/Schema"
import { identified, openStruct } from "../schema/OpenStruct.ts"

// 32 bytes in base64: 43 digits and one "=".
/** base64(sha256(...)), as every hash of a credential is written. */
export const CredentialHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]{43}=$/u, {
    message: "Expected the base64 of a SHA-256 digest (44 characters ending in =)"
  })
)

/**
 * Credentials that the caller made and keeps: only their hashes travel. All three members or none of them. Contract:
 * section 4.2, semantics by decision. `issueCredentials` makes both, the credentials and this.
 */
export const HashData = openStruct({
  /** base64(sha256(key ID)). */
  keyIdHash: CredentialHash,
  /** The last 4 characters of the key ID. */
  keyIdSuffix: Schema.String.check(
    Schema.isBetweenLength(4, 4, { message: "Expected the last 4 characters of the key ID" })
  ),
  /** base64(sha256(key secret)). */
  keySecretHash: CredentialHash
}).pipe(identified("HashData"))
/** What {@link HashData} decodes to. */
export type HashData = typeof HashData.Type
