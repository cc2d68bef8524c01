import { expect, it } from "vitest"
import { joinNewest } from "../../src/pages/pipe/joinNewest.ts"

const list = (...positions: ReadonlyArray<string>) => positions.map((position) => ({ position }))

it.each([
  [[], ["2", "1"], ["2", "1"]],
  [
    ["2", "1"],
    ["3", "2"],
    ["3", "2", "1"]
  ],
  [
    ["2", "1"],
    ["2", "1"],
    ["2", "1"]
  ],
  [
    ["5", "4", "3"],
    ["7", "6"],
    ["7", "6", "5", "4", "3"]
  ],
  [["2", "1"], [], ["2", "1"]]
])("of %j and the newest %j is %j", (known, newest, all) => {
  expect(joinNewest(list(...known), list(...newest))).toEqual(list(...all))
})

it("takes what was read last", () => {
  expect(joinNewest([{ position: "1", text: "old" }], [{ position: "1", text: "new" }])).toEqual([
    { position: "1", text: "new" }
  ])
})
