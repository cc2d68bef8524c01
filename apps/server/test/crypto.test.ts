import { assert, it } from "@effect/vitest"
import { hashCredential } from "@headgate/core/access"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import * as Crypto from "../src/access/Crypto.ts"
import { uuidV4 } from "./support/world.ts"

it.effect.prop("the server's own hash is that of every store, whatever the text", [Schema.String], ([text]) =>
  Effect.gen(function* () {
    const expected = createHash("sha256").update(new TextEncoder().encode(text)).digest("base64")
    assert.strictEqual(yield* hashCredential(text), expected)
  }).pipe(Effect.provide(Crypto.layer))
)

it.effect("half a surrogate pair is hashed as UTF-8 writes it", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* hashCredential("a\uD800b"), yield* hashCredential("a\uFFFDb"))
  }).pipe(Effect.provide(Crypto.layer))
)

it.effect("UUIDs are of version 4, as text and as bytes, and no two alike", () =>
  Effect.gen(function* () {
    const random = yield* SecureRandom
    const texts = yield* Effect.replicateEffect(random.uuidV4(), 1000)
    for (const text of texts) assert.match(text, uuidV4)
    assert.strictEqual(new Set(texts).size, 1000)
    assert.strictEqual((yield* random.uuidV4({ format: "bytes" })).length, 16)
  }).pipe(Effect.provide(Crypto.layer))
)
