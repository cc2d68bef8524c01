import { assert, describe, it } from "vitest"
import { splitList } from "../src/sql/splitList.ts"

describe("a list", () => {
  it("is split at the commas that are in no bracket and in no quotes", () => {
    assert.deepStrictEqual(splitList(""), [])
    assert.deepStrictEqual(splitList("a, toDate(b, 'UTC'), `x,y`, concat(c, '(\\',', d), [1, 2]"), [
      "a",
      "toDate(b, 'UTC')",
      "`x,y`",
      "concat(c, '(\\',', d)",
      "[1, 2]"
    ])
    assert.deepStrictEqual(splitList("'it''s, so' = 1, 'a\\'' = 2"), ["'it''s, so' = 1", "'a\\'' = 2"])
  })
})
