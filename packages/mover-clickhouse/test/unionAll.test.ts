import { assert, describe, it } from "vitest"
import { divideByLength, unionAll } from "../src/staging/unionAll.ts"

const read = (url: string) => ({ sql: "f({url:String}, {format:String})", parameters: { url, format: "CSV" } })

describe("the rows of several objects", () => {
  it("are one query, whose parameters have the values of each", () => {
    assert.deepStrictEqual(unionAll([read("a")]), read("a"))
    assert.deepStrictEqual(unionAll([read("a"), read("b"), read("a")]), {
      sql: "(SELECT * FROM f({url:String}, {format:String}) UNION ALL SELECT * FROM f({url_1:String}, {format:String}) UNION ALL SELECT * FROM f({url:String}, {format:String}))",
      parameters: { url: "a", url_1: "b", format: "CSV" }
    })
  })

  it("are divided in their order, each part below the length, and one that is longer alone", () => {
    const all = [read("a"), read("b"), read("c".repeat(500)), read("d")]
    assert.deepStrictEqual(divideByLength(all, 200), [[read("a"), read("b")], [read("c".repeat(500))], [read("d")]])
    assert.deepStrictEqual(divideByLength([]), [])
  })
})
