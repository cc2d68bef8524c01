import { assert, it } from "@effect/vitest"
import { hashCredential } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash } from "node:crypto"
import * as Crypto from "../src/access/Crypto.ts"
import { uuidV4 } from "./support/environment.ts"

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

it.effect("random bytes are as many as were asked for, however many at once, and no two draws alike", () =>
  Effect.gen(function* () {
    const random = yield* SecureRandom
    // The sizes end a store of drawn bytes in its middle, at its end and beyond it.
    const sizes = [25, 50, 4096, 4021, 75, 0, 4097, 70_000, 16, ...Array.from({ length: 500 }, () => 25)]
    const draws = yield* Effect.forEach(sizes, random.randomBytes)
    assert.deepStrictEqual(
      draws.map(({ length }) => length),
      sizes
    )
    const texts = draws.flatMap((bytes) => (bytes.length === 0 ? [] : [Buffer.from(bytes).toString("hex")]))
    assert.strictEqual(new Set(texts).size, sizes.length - 1)
    // Bytes that were drawn for nobody would be zeros: in so many there is one in 256.
    const all = Buffer.concat(draws)
    const zeros = all.filter((byte) => byte === 0).length
    assert.isBelow(Math.abs(zeros - all.length / 256), all.length / 256)
    const own = yield* random.randomBytes(8)
    const before = Array.from(own)
    yield* random.randomBytes(4096)
    assert.deepStrictEqual(Array.from(own), before)
  }).pipe(Effect.provide(Crypto.layer))
)
