import * as Context from "effect/Context"
import { Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"

// Every runtime has it; its type comes with the DOM's or Node's, and core takes neither.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

const utf8 = new TextEncoder()

/**
 * base64(sha256(value)) as the runtime itself makes it of a text, where that is quicker than a `Digest` of bytes: a
 * server hashes two values for each request. Absent unless provided.
 *
 * @example
 * ```ts
 * import { CredentialHasher } from "@headgate/core/access"
 * import * as Layer from "effect/Layer"
 * import { hash } from "node:crypto"
 *
 * const layer = Layer.succeed(CredentialHasher, (value: string) => hash("sha256", value, "base64"))
 * ```
 */
export const CredentialHasher = Context.Reference<((value: string) => string) | undefined>(
  "@headgate/core/access/CredentialHasher",
  { defaultValue: () => undefined }
)

/**
 * base64(sha256(value)): the form in which credentials are stored and in which `hashData` sends them. A plain digest
 * is enough here because the values are random and long; it is no way to store a password that a person chose.
 */
export const hashCredential = Effect.fnUntraced(function* (value: string) {
  const hasher = yield* CredentialHasher
  if (hasher !== undefined) return hasher(value)
  const digest = yield* Digest
  return Base64.encode(yield* digest.digest(sha256, utf8.encode(value)))
})

/** Compares two credential hashes in a time that does not depend on where they differ. */
export const sameHash = (a: string, b: string): boolean => timingSafeEqual(utf8.encode(a), utf8.encode(b))
