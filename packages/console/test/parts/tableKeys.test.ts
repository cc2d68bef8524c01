import { assert, describe, it } from "vitest"
import { rowAfter } from "../../src/parts/table/tableKeys.ts"

describe("rowAfter", () => {
  it.each([
    ["ArrowUp", 49],
    ["ArrowDown", 51],
    ["PageUp", 41],
    ["PageDown", 59],
    ["Home", 0],
    ["End", 99],
    ["Enter", undefined],
    ["a", undefined]
  ])("%s leads from row 50 to %s", (key, index) => {
    assert.strictEqual(rowAfter(key, 50, 100, 10), index)
  })

  it("stays within the rows, and moves however little is seen", () => {
    assert.strictEqual(rowAfter("ArrowUp", 0, 100, 10), 0)
    assert.strictEqual(rowAfter("ArrowDown", 99, 100, 10), 99)
    assert.strictEqual(rowAfter("PageDown", 95, 100, 10), 99)
    assert.strictEqual(rowAfter("PageUp", 3, 100, 10), 0)
    assert.strictEqual(rowAfter("PageDown", 3, 100, 0), 4)
  })
})
