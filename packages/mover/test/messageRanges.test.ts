import { assert, describe, it } from "@effect/vitest"
import { crc32 } from "node:zlib"
import { makePlannedRanges, packRows, type RangeKey } from "../src/message/PlannedRanges.ts"
import { makeRangeCheck } from "../src/message/RangeCheck.ts"

const rowsOf = (...texts: ReadonlyArray<string>) => texts.map((text) => new TextEncoder().encode(text))

describe("the check of a range", () => {
  const checkOf = (...texts: ReadonlyArray<string>) => {
    const check = makeRangeCheck(crc32)
    for (const row of rowsOf(...texts)) check.add(row)
    return check
  }
  const { detail } = checkOf("a", "b")

  it("finds no difference in the same rows", () => {
    assert.isUndefined(checkOf("a", "b").difference(detail()))
    assert.isUndefined(checkOf().difference(checkOf().detail()))
    const together = makeRangeCheck(crc32)
    together.add(packRows(rowsOf("a", "b")).bytes, 2)
    assert.isUndefined(together.difference(detail()))
  })

  it("tells fewer rows, other rows and a detail that is none", () => {
    assert.include(checkOf("a").difference(detail()) ?? "", "had 2 rows and has 1")
    assert.include(checkOf("a", "c").difference(detail()) ?? "", "other")
    assert.include(checkOf("b", "a").difference(detail()) ?? "", "other")
    assert.include(checkOf("a", "b").difference("etag") ?? "", "etag")
  })
})

describe("planned ranges", () => {
  const keyOf = (partition: string, from = "0"): RangeKey => ({ identity: "topic:1", partition, from, to: "9" })
  const keep = (ranges: ReturnType<typeof makePlannedRanges>, partition: string, sizes: ReadonlyArray<number>) => {
    const kept = ranges.begin(partition)
    for (const size of sizes) kept.add(packRows(rowsOf("x".repeat(size))))
    kept.end(keyOf(partition))
  }

  it("keeps the rows of the last one of each partition, once it is planned, for any number of readers", () => {
    const ranges = makePlannedRanges(100)
    const kept = ranges.begin("a")
    for (const rows of [rowsOf("1", "", "two"), [], rowsOf("3")]) kept.add(packRows(rows))
    assert.isUndefined(ranges.get(keyOf("a")))
    kept.end(keyOf("a"))
    const rows = ranges.get(keyOf("a")) ?? assert.fail("nothing is kept")
    for (let reader = 1; reader <= 2; reader += 1) {
      assert.deepStrictEqual(
        Array.from(rows, (row) => new TextDecoder().decode(row)),
        ["1", "", "two", "3"]
      )
    }
    ranges.begin("a")
    assert.isUndefined(ranges.get(keyOf("a")))
  })

  it("answers for its source and its positions alone", () => {
    const ranges = makePlannedRanges(100)
    keep(ranges, "a", [10])
    assert.isDefined(ranges.get(keyOf("a")))
    for (const other of [{ identity: "topic:2" }, { from: "1" }, { to: "8" }, { partition: "b" }]) {
      assert.isUndefined(ranges.get({ ...keyOf("a"), ...other }))
    }
  })

  it("holds no more bytes than its limit: what does not fit is not kept, and gives its place back", () => {
    const ranges = makePlannedRanges(100)
    const kept = () => ["a", "b", "c"].filter((partition) => ranges.get(keyOf(partition)) !== undefined)
    keep(ranges, "a", [40])
    keep(ranges, "b", [40, 21, 1])
    assert.deepStrictEqual(kept(), ["a"])
    keep(ranges, "c", [20, 40])
    assert.deepStrictEqual(kept(), ["a", "c"])
    keep(ranges, "b", [1])
    assert.deepStrictEqual(kept(), ["a", "c"])
    keep(ranges, "a", [41])
    assert.deepStrictEqual(kept(), ["c"])
    ranges.clear()
    assert.deepStrictEqual(kept(), [])
    keep(ranges, "a", [100])
    assert.deepStrictEqual(kept(), ["a"])
  })
})
