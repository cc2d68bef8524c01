import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { demoRow, rowsUntil, timeOfRow } from "../src/row/demoRow.ts"

const stream = { seed: 7, start: Date.UTC(2026, 0, 1), rate: 200 }
const rows = (count: number, first = 0, of = stream): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => demoRow(of, first + index))

interface Row {
  readonly time: string
  readonly service: string
  readonly status: number
  readonly duration_ms: number | string
}
const read = (texts: ReadonlyArray<string>): ReadonlyArray<Row> => texts.map((text) => JSON.parse(text))

describe("a row of the demo", () => {
  it("is the same whenever it is made, in every version", () => {
    assert.deepStrictEqual(rows(1000), rows(1000))
    // Ranges that a server has recorded are made again by the next version.
    const digest = createHash("sha256").update(rows(1000, 123_456_789_000).join("\n")).digest("hex")
    assert.strictEqual(digest, "8585901eb48940ad55a410c529a5c295396b656a557c3adbe7d3863791fdef09")
  })

  it("is another one for another number and another seed, beyond 2^32, too", () => {
    const large = 2 ** 32 + 5
    assert.notDeepEqual(
      read(rows(100)).map(({ duration_ms }) => duration_ms),
      read(rows(100, large - 5)).map(({ duration_ms }) => duration_ms)
    )
    assert.notDeepEqual(rows(100), rows(100, 0, { ...stream, seed: 8 }))
  })

  it("has six services, one error in fifty, and one value in 500 that is no number", () => {
    const found = read(rows(50_000))
    assert.strictEqual(new Set(found.map(({ service }) => service)).size, 6)
    const errors = found.filter(({ status }) => status >= 500).length
    assert.isTrue(errors > 900 && errors < 1100, String(errors))
    assert.lengthOf(
      found.filter(({ duration_ms }) => typeof duration_ms !== "number"),
      100
    )
    // The fields of a source are found in its first rows.
    assert.isTrue(found.slice(0, 499).every(({ duration_ms }) => typeof duration_ms === "number"))
  })

  it("has the time at which it is there, and 200 are made in a second", () => {
    assert.strictEqual(rowsUntil(stream, stream.start + 1000), 200)
    assert.strictEqual(rowsUntil(stream, stream.start - 1), 0)
    for (const row of [0, 1, 199, 200, 5e9]) {
      assert.strictEqual(rowsUntil(stream, timeOfRow(stream, row)), row)
    }
    assert.strictEqual(read(rows(1, 200))[0]?.time, "2026-01-01 00:00:01.000")
  })
})
