import { assert, describe, it } from "vitest"
import { heatOf } from "../../src/pages/dashboards/heat.ts"
import { time, group, value, writing, data, overTime } from "../support/chartData.ts"

describe("heatOf", () => {
  it("has a line for each range of a distribution, the larger ones above", () => {
    const columns = [time, group("row", "UInt8"), group("from", "Float64"), group("to", "Float64"), value("count")]
    const rows = [
      [0, 0, null, 1, 4],
      [0, 10, 20, 30, 2],
      [60_000, 10, 20, 30, 9],
      [0, 2, 1, 2, 1]
    ]
    const { data: drawn, most } = heatOf(data(columns, rows, overTime), writing)
    assert.deepStrictEqual(drawn.series, [
      { name: "20", values: [2, 9] },
      { name: "1", values: [1, null] },
      { name: "below", values: [4, null] }
    ])
    assert.strictEqual(most, 9)
    assert.deepStrictEqual([drawn.isRunning, drawn.from, drawn.to], [false, 0, 120_000])
  })

  it("has a line for each group, by their names", () => {
    const rows = [
      [0, "b", 3],
      [0, "a", 1]
    ]
    const { data: drawn } = heatOf(data([time, group("g"), value("n")], rows, { ...overTime, to: 60_000 }), writing)
    assert.deepStrictEqual(drawn.series, [
      { name: "a", values: [1] },
      { name: "b", values: [3] }
    ])
  })
})
