import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Base64 from "effect/encoding/Base64"
import { Sealing } from "../../src/access/Sealing.ts"
import { webCrypto } from "../webCrypto.ts"

const keyOf = (byte: number) => Redacted.make(Base64.encode(new Uint8Array(32).fill(byte)))

const withKey =
  (byte: number) =>
  <A, E>(use: (sealing: Sealing["Service"]) => Effect.Effect<A, E>) =>
    Sealing.use(use).pipe(Effect.provide(Sealing.layer(keyOf(byte))), Effect.provide(webCrypto))

const here = withKey(1)
const elsewhere = withKey(2)
const text = "AccountKey=gr\u00fcn \u{1f511}"

describe("Sealing", () => {
  it.effect("opens what it sealed, and gives another ciphertext each time", () =>
    Effect.gen(function* () {
      const first = yield* here(({ seal }) => seal(text, "pipe/1/a"))
      const second = yield* here(({ seal }) => seal(text, "pipe/1/a"))
      assert.notStrictEqual(first, second)
      for (const sealed of [first, second]) {
        assert.notInclude(Base64.decodeString(sealed).toString(), "AccountKey")
        assert.deepStrictEqual(yield* here(({ open }) => open(sealed, "pipe/1/a")), Option.some(text))
      }
    })
  )

  it.effect.each(["", "\uFEFFx", "\ud800", "x\udc00", "\u0000"])("opens any text as it was sealed: %j", (any) =>
    Effect.gen(function* () {
      const sealed = yield* here(({ seal }) => seal(any, "pipe/1/a"))
      assert.deepStrictEqual(yield* here(({ open }) => open(sealed, "pipe/1/a")), Option.some(any))
    })
  )

  it.effect("opens nothing of another key, of another context, changed or cut", () =>
    Effect.gen(function* () {
      const sealed = yield* here(({ seal }) => seal(text, "pipe/1/a"))
      const changed = sealed.startsWith("A") ? `B${sealed.slice(1)}` : `A${sealed.slice(1)}`
      const opened = [
        yield* elsewhere(({ open }) => open(sealed, "pipe/1/a")),
        yield* here(({ open }) => open(sealed, "pipe/2/a")),
        yield* here(({ open }) => open(changed, "pipe/1/a")),
        yield* here(({ open }) => open(sealed.slice(0, 24), "pipe/1/a")),
        yield* here(({ open }) => open("", "pipe/1/a")),
        yield* here(({ open }) => open("not base64!", "pipe/1/a"))
      ]
      assert.deepStrictEqual(
        opened,
        opened.map(() => Option.none())
      )
    })
  )

  it.effect("seals a megabyte", () =>
    Effect.gen(function* () {
      const long = "x".repeat(1024 * 1024)
      const sealed = yield* here(({ seal }) => seal(long, "answer"))
      assert.deepStrictEqual(yield* here(({ open }) => open(sealed, "answer")), Option.some(long))
    })
  )

  it.effect("tells keys apart by a fingerprint that is the same each time", () =>
    Effect.gen(function* () {
      const fingerprint = yield* here((sealing) => Effect.succeed(sealing.fingerprint))
      assert.match(fingerprint, /^.{16}$/u)
      assert.strictEqual(yield* here((sealing) => Effect.succeed(sealing.fingerprint)), fingerprint)
      assert.notStrictEqual(yield* elsewhere((sealing) => Effect.succeed(sealing.fingerprint)), fingerprint)
    })
  )

  it.effect("takes 32 bytes in base64 as a key, with a line end or without, and nothing else", () =>
    Effect.gen(function* () {
      const build = (key: string) =>
        Sealing.use(({ fingerprint }) => Effect.succeed(fingerprint)).pipe(
          Effect.provide(Sealing.layer(Redacted.make(key))),
          Effect.provide(webCrypto),
          Effect.exit
        )
      const [line, bare, short, words] = yield* Effect.all([
        build(`${Redacted.value(keyOf(1))}\n`),
        build(Redacted.value(keyOf(1))),
        build("AAAA"),
        build("correct horse")
      ])
      assert.deepStrictEqual(line, bare)
      assert.include(JSON.stringify(short), "Expected 32 random bytes in base64")
      assert.include(JSON.stringify(words), "Expected 32 random bytes in base64")
      assert.notInclude(JSON.stringify(words), "horse")
    })
  )
})
