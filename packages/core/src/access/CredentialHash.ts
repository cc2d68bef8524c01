import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"

// Base 62, so that a credential survives every shell, URL and double click.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `length` characters of `[0-9A-Za-z]` from a secure source, each about 5.95 bits. */
export const randomText = Effect.fnUntraced(function* (length: number) {
  const random = yield* SecureRandom
  const codes: Array<number> = []
  while (codes.length < length) {
    // A quarter more than is asked for: one byte in 32 is of no use, and a second draw costs as much as the first.
    const bytes = yield* random.randomBytes(Math.ceil(length * 1.25))
    for (const byte of bytes) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && codes.length < length) codes.push(alphabet.charCodeAt(byte % 62))
    }
  }
  return String.fromCharCode(...codes)
})

// Every runtime has it; its type comes with the DOM's or Node's, and core takes neither.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

const utf8 = new TextEncoder()

/**
 * base64(sha256(value)) as the runtime itself makes it of a text, where that is quicker than a `Digest` of bytes: a
 * server hashes two values for each request. Absent unless provided.
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
 * base64(sha256(value)), 44 characters: the form in which credentials are stored and in which `hashData` sends them. A
 * plain digest is enough here because the values are random and long; it is no way to store a password that a person
 * chose. Contract: section 4.2, `hashData`, semantics by decision.
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

/** Both bytes of each code unit. An encoder takes six times as long for so few, and every request is compared. */
const unitsOf = (text: string): Uint8Array => {
  const units = new Uint8Array(2 * text.length)
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    units[2 * index] = unit
    units[2 * index + 1] = unit >> 8
  }
  return units
}

/**
 * Compares two credential hashes in a time that does not depend on where they differ, so that guesses learn nothing
 * from how long a refusal took. For whoever writes a store; `authenticate` does it already.
 *
 * @example
 * ```ts
 * import { hashCredential, sameHash } from "@headgate/core/adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as Effect from "effect/Effect"
 *
 * const stored = "mM7KmaJPX1ylJyjBBqfG0tEXHB7IDEXjboGB9G4On8c="
 * const isStored = (value: string) => Effect.map(hashCredential(value), (hash) => sameHash(hash, stored))
 *
 * const answers = Effect.forEach(["my-key-id", "another"], isStored).pipe(Effect.provide(Digest.layerWebCrypto))
 * console.log(await Effect.runPromise(answers)) // [ true, false ]
 * ```
 */
export const sameHash = (a: string, b: string): boolean => timingSafeEqual(unitsOf(a), unitsOf(b))
