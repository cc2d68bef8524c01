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
        const { bytes, rejected } = statementBody(Stream.rechunk(rows, size), takes)
        assert.deepStrictEqual((yield* sent(bytes)).join(""), "one\ntwo\nthree\n")
        assert.deepStrictEqual(rejected(), [])
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

  it.effect("leaves out all rejected rows, and names each", () =>
    Effect.gen(function* () {
      for (const size of [1, 2, 10]) {
        for (const [rows, numbers] of [
          [
            ["one", "bad", "two", "bad", "three"],
            [1, 3]
          ],
          [
            ["bad", "bad", "one"],
            [0, 1]
          ],
          [["one", "bad"], [1]],
          [["bad"], [0]]
        ] as const) {
          const body = statementBody(Stream.rechunk(Stream.fromArray(rows.map(encode)), size), isBad)
          const good = rows.filter((row) => row !== "bad").map((row) => `${row}\n`)
          assert.strictEqual((yield* sent(body.bytes)).join(""), good.join(""))
          assert.deepStrictEqual(
            body.rejected(),
            numbers.map((row) => ({ row, reason: "it is bad" }))
          )
        }
      }
    })
  )

  it.effect("ends when what runs at its end has run, and fails with it", () =>
    Effect.gen(function* () {
      for (const texts of [[], ["bad"], ["one", "bad", "two"]]) {
        const rows = Stream.fromArray(texts.map(encode))
        const seen: Array<number> = []
        yield* sent(statementBody(rows, isBad, (rejected) => Effect.sync(() => void seen.push(rejected.length))).bytes)
        assert.deepStrictEqual(seen, [texts.filter((text) => text === "bad").length])
        const failing = statementBody(rows, isBad, () => Effect.fail("no ledger"))
        assert.strictEqual(yield* Effect.flip(sent(failing.bytes)), "no ledger")
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
