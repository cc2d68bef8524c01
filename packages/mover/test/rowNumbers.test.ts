import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { rowNumbers } from "../src/index.ts"

const Rows = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300_000 })))

describe("rejected rows as bytes", () => {
  it.effect.prop("are the same rows when they are read", [Rows], ([numbers]) =>
    Effect.sync(() => {
      const rows = Array.from(new Set(numbers)).toSorted((one, other) => one - other)
      assert.deepStrictEqual(rowNumbers.decode(rowNumbers.encode(rows)), rows)
    })
  )

  it("take at most 25 kB of 200,000 rows, and about a byte each if they are few", () => {
    for (const [each, most] of [
      [1, 25_002],
      [2, 25_002],
      [10, 20_002],
      [100, 2002],
      [1000, 402]
    ] as const) {
      const rows = Array.from({ length: 200_000 / each }, (_, index) => index * each)
      assert.isAtMost(rowNumbers.encode(rows).length, most)
      assert.deepStrictEqual(rowNumbers.decode(rowNumbers.encode(rows)), rows)
    }
    assert.deepStrictEqual(rowNumbers.decode(rowNumbers.encode([])), [])
  })
})
