import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { statementBody } from "../src/row/statementBody.ts"

const encode = (text: string) => new TextEncoder().encode(text)
const takes = () => undefined
const isBad = (row: Uint8Array) => (row[0] === 0x62 ? "it is bad" : undefined)

const sent = (bytes: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(bytes), (chunks) => chunks.map((chunk) => new TextDecoder().decode(chunk)))

describe("the body of a statement", () => {
  it.effect("has each row on a line, however the source cuts them", () =>
    Effect.gen(function* () {
      const rows = Stream.fromArray(["one", "two", "three"].map(encode))
      for (const size of [1, 2, 3]) {
        const { bytes, found } = statementBody(Stream.rechunk(rows, size), takes)
        assert.deepStrictEqual((yield* sent(bytes)).join(""), "one\ntwo\nthree\n")
        assert.isUndefined(found())
      }
      assert.deepStrictEqual(yield* sent(statementBody(Stream.empty, takes).bytes), [])
    })
  )

  it.effect("has chunks of whole rows", () =>
    Effect.gen(function* () {
      const row = `ü${"x".repeat(1000)}`
      const rows = Stream.fromArray(Array.from({ length: 2000 }, () => encode(row)))
      const chunks = yield* sent(statementBody(rows, takes).bytes)
      assert.isAbove(chunks.length, 5)
      assert.isTrue(chunks.every((chunk) => chunk.endsWith("\n") && chunk.length < 300_000))
      assert.strictEqual(chunks.join(""), `${row}\n`.repeat(2000))
    })
  )

  it.effect("ends at the first bad row, in whose place the engine reads what it cannot", () =>
    Effect.gen(function* () {
      for (const size of [1, 10]) {
        let read = 0
        const rows = Stream.fromArray(["one", "bad", "two", "bad", "three"].map(encode)).pipe(
          Stream.rechunk(size),
          Stream.tap(() =>
            Effect.sync(() => {
              read += 1
            })
          )
        )
        const { bytes, found } = statementBody(rows, isBad)
        assert.strictEqual((yield* sent(bytes)).join(""), "one\nthis row cannot be inserted\n")
        assert.deepStrictEqual(found(), { row: 1, reason: "it is bad" })
        if (size === 1) assert.isBelow(read, 5)
      }
    })
  )

  it.effect("fails with the source: a body that breaks off is never a whole one", () =>
    Effect.gen(function* () {
      for (const rows of [[], ["one"], ["one", "two"]]) {
        const source = Stream.concat(Stream.fromArray(rows.map(encode)), Stream.fail("gone"))
        assert.strictEqual(yield* Effect.flip(sent(statementBody(source, takes).bytes)), "gone")
      }
    })
  )
})
