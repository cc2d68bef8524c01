import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Digest, sha256 } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"

// Base 62, so that a credential needs no escaping in shells and URLs, and a double click selects all of it.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `length` characters of `[0-9A-Za-z]` from a secure source, each about 5.95 bits. */
export const randomText = Effect.fnUntraced(function* (length: number) {
  const random = yield* SecureRandom
  const codes: Array<number> = []
  while (codes.length < length) {
    // A quarter more than needed: one byte in 32 is discarded, and a second call costs as much as the first.
    const bytes = yield* random.randomBytes(Math.ceil(length * 1.25))
    for (const byte of bytes) {
      // 248 is the largest multiple of 62 in a byte. Larger values would make the first characters more frequent.
      if (byte < 248 && codes.length < length) codes.push(alphabet.charCodeAt(byte % 62))
    }
  }
  return String.fromCharCode(...codes)
})

// Every runtime has it, but its type is declared by the DOM or Node libraries, and core uses neither.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

const utf8 = new TextEncoder()

/**
 * An optional faster way to compute base64(sha256(value)) of a string than `Digest` has. A server hashes two values for
 * each request.
 *
 * @example
 * ```ts
 * import { CredentialHasher } from "@headgate/core/adapter"
 * import * as Layer from "effect/Layer"
 * import { hash } from "node:crypto"
 *
 * export const layer = Layer.succeed(CredentialHasher, (value: string) => hash("sha256", value, "base64"))
 * ```
 */
export const CredentialHasher = Context.Reference<((value: string) => string) | undefined>(
  "@headgate/core/access/CredentialHasher",
  { defaultValue: () => undefined }
)

/**
 * base64(sha256(value)), 44 characters: credentials are stored in this form, and `hashData` sends them in it. A digest
 * without salt is enough because the values are random and long. Do not store passwords of people with it. Contract:
 * docs/wire-contract.md#create-an-api-key, `hashData`; the semantics are decided.
 *
 * @example
 * ```ts
 * import { hashCredential } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as Effect from "effect/Effect"
 *
 * const hash = hashCredential("my-key-id").pipe(Effect.provide(Digest.layerWebCrypto))
 * console.log(await Effect.runPromise(hash)) // mM7KmaJPX1ylJyjBBqfG0tEXHB7IDEXjboGB9G4On8c=
 * ```
 */
export const hashCredential = (value: string): Effect.Effect<string, never, Digest> =>
  CredentialHasher.use((hasher): Effect.Effect<string, never, Digest> =>
    hasher === undefined
      ? Digest.use((digest) => Effect.map(digest.digest(sha256, utf8.encode(value)), Base64.encode))
      : Effect.succeed(hasher(value))
  )

/**
 * Compares two credential hashes in constant time. `authenticate` uses it already; a store needs it only if it compares
 * hashes itself.
 */
export const sameHash = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  // Every character is compared, wherever they differ. Bytes would be made first, for every request.
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
