import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Aead from "effect/crypto/Aead"
import type { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"
import { type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { hashCredential } from "./CredentialHash.ts"

// Every runtime has them, but their types are declared by the DOM or Node libraries, and core uses neither.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string }

const utf8 = new TextEncoder()
const decodeText = Schema.decodeEffect(Schema.fromJsonString(Schema.String))

// Its 24-byte nonces may be random, and it is synchronous: a store seals within a transaction.
const algorithm = Aead.xchacha20Poly1305
const { nonceLength } = algorithm

const invalidKey = () =>
  invalidRequest([{ path: "sealingKey", message: `Expected ${algorithm.keyLength} random bytes in base64` }])

/**
 * Encrypts what a store must keep and nobody may read in it: credentials of pipes, and answers that hold a secret. The
 * ciphertext is authenticated together with its `context`, the resource and the field that it belongs to, so that a value
 * that was moved to another row does not open.
 *
 * It protects a copy of the database, not a server that runs: a process with the key and the database can read everything.
 *
 * @example
 * ```ts
 * import { Sealing } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 * import * as Redacted from "effect/Redacted"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 *
 * const context = "pipe/6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f/source.objectStorage.connectionString"
 *
 * const opened = Effect.gen(function* () {
 *   const sealing = yield* Sealing
 *   const sealed = yield* sealing.seal("AccountKey=c2VjcmV0", context)
 *   return yield* sealing.open(sealed, context)
 * }).pipe(
 *   Effect.provide(Sealing.layer(Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE="))),
 *   Effect.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
 * )
 * console.log(Option.getOrUndefined(await Effect.runPromise(opened))) // AccountKey=c2VjcmV0
 * ```
 */
export class Sealing extends Context.Service<
  Sealing,
  {
    /** Tells keys apart without revealing them: 16 characters. */
    readonly fingerprint: string
    /** Encrypts a text; base64. The same text gives another result each time. */
    readonly seal: (text: string, context: string) => Effect.Effect<string>
    /** The text of `seal`; none if it was sealed with another key or context, or was changed. */
    readonly open: (sealed: string, context: string) => Effect.Effect<Option.Option<string>>
  }
>()("@headgate/core/access/Sealing") {
  /** With a key of 32 random bytes in base64. Fails with `InvalidRequest` if it is none. */
  static readonly layer = (key: Redacted.Redacted): Layer.Layer<Sealing, InvalidRequest, Digest | SecureRandom> =>
    Layer.effect(
      Sealing,
      Effect.gen(function* () {
        const aead = yield* Aead.Aead
        const random = yield* SecureRandom
        const bytes = Base64.decode(Redacted.value(key).trim())
        if (Result.isFailure(bytes)) return yield* invalidKey()
        const aeadKey = yield* Effect.mapError(Aead.key(algorithm, bytes.success), invalidKey)
        const fingerprint = (yield* hashCredential(`headgate sealing key ${Base64.encode(bytes.success)}`)).slice(0, 16)
        return Sealing.of({
          fingerprint,
          seal: Effect.fnUntraced(function* (text, context) {
            const nonce = yield* random.randomBytes(nonceLength)
            const options = { nonce, aad: utf8.encode(context) }
            // As JSON: UTF-8 has no half of a surrogate pair, and its decoder drops a byte order mark.
            const ciphertext = yield* Effect.orDie(aead.encrypt(aeadKey, utf8.encode(JSON.stringify(text)), options))
            const sealed = new Uint8Array(nonceLength + ciphertext.length)
            sealed.set(nonce)
            sealed.set(ciphertext, nonceLength)
            return Base64.encode(sealed)
          }),
          open: Effect.fnUntraced(function* (sealed, context) {
            const bytes = yield* Effect.fromResult(Base64.decode(sealed))
            const options = { nonce: bytes.subarray(0, nonceLength), aad: utf8.encode(context) }
            const plaintext = yield* aead.decrypt(aeadKey, bytes.subarray(nonceLength), options)
            return yield* decodeText(new TextDecoder().decode(plaintext))
          }, Effect.option)
        })
      })
    ).pipe(Layer.provide(Aead.layerWebCrypto))
}
