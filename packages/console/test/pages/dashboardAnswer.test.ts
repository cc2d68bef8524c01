import { assert, describe, it } from "vitest"
import {
  barsOf,
  cellText,
  drawnChart,
  figuresOf,
  isOverTime,
  labelText,
  notesOf,
  tableColumns
} from "../../src/pages/dashboards/answer.ts"
import { time, group, value, previous, writing, data, overTime } from "../support/chartData.ts"

describe("labelText", () => {
  it("writes out what is not seen, and cuts a long text", () => {
    assert.strictEqual(labelText("a\u202eb"), "a\\u202eb")
    assert.strictEqual(labelText(null), "NULL")
    assert.strictEqual(labelText("NULL"), '"NULL"')
    assert.strictEqual(labelText("x".repeat(2000)), `${"x".repeat(400)}…`)
    assert.strictEqual(labelText("x".repeat(400)), "x".repeat(400))
  })
})

describe("cellText", () => {
  it("writes numbers by their format, but those of found rows as they are", () => {
    assert.strictEqual(cellText("18446744073709551615", value("n"), "table", writing), "18,446,744,073,709,551,615")
    assert.strictEqual(cellText("18446744073709551615", value("n"), "search", writing), "18446744073709551615")
    const percent = value("n", { numberFormat: { output: "percent", mantissa: 1 } })
    assert.strictEqual(cellText(0.254, percent, "search", writing), "25.4%")
    assert.strictEqual(cellText(1234.5, value("n"), "table", { ...writing, languages: "de" }), "1.234,5")
    assert.strictEqual(cellText(null, value("n"), "table", writing), "N/A")
    assert.strictEqual(cellText(5, group("n", "UInt8"), "table", writing), "5")
  })

  it("writes times in the zone", () => {
    const berlin = cellText(0, time, "table", { ...writing, zone: "Europe/Berlin" })
    assert.notStrictEqual(berlin, cellText(0, time, "table", writing))
    assert.strictEqual(cellText("x", time, "table", writing), "x")
  })
})

describe("drawnChart", () => {
  const columns = [time, group("g"), value("n")]

  it("has the series of the answer with gaps, and says that the last period runs", () => {
    const answer = data(columns, [[0, "a", 1]], overTime)
    const { data: drawn, hidden } = drawnChart(answer, 60_000, writing)
    assert.deepStrictEqual(drawn.times, [0, 60_000])
    assert.deepStrictEqual(
      drawn.series.map(({ name, values }) => ({ name, values })),
      [{ name: "a", values: [1, null] }]
    )
    assert.deepStrictEqual([drawn.isRunning, drawn.from, drawn.to, hidden], [true, 0, 120_000, 0])
    assert.isFalse(drawnChart(answer, 120_000, writing).data.isRunning)
    assert.strictEqual(drawn.series[0]?.text?.(1234), "1,234")
  })

  it("begins with the first period, where that begins before the range", () => {
    assert.strictEqual(drawnChart(data(columns, [[0, "a", 1]], { ...overTime, from: 30_000 }), 0, writing).data.from, 0)
  })

  it("is stacked as the tile says", () => {
    const shape = (displayType: string) =>
      drawnChart(data(columns, [[0, "a", 1]], { ...overTime, displayType }), 0, writing).data.shape
    assert.deepStrictEqual(["line", "stacked_bar", "stacked_line"].map(shape), [
      undefined,
      "stacked_bar",
      "stacked_line"
    ])
  })

  it("draws the period before behind, with the colour of what it is compared with, and stacks nothing then", () => {
    const rows = [
      [0, "a", 1, 7],
      [0, "b", 5, null]
    ]
    const { data: drawn } = drawnChart(
      data([...columns, previous("n")], rows, { ...overTime, displayType: "stacked_bar" }),
      0,
      writing
    )
    assert.deepStrictEqual(
      drawn.series.map(({ isPrevious, like, name }) => [name, isPrevious, like]),
      [
        ["b", undefined, undefined],
        ["a", undefined, undefined],
        ["before: a", true, 1],
        ["before: b", true, 0]
      ]
    )
    assert.isUndefined(drawn.shape)
  })

  it("counts what is not drawn", () => {
    const rows = Array.from({ length: 70 }, (_, index) => [0, `g${index}`, index])
    const { data: drawn, hidden } = drawnChart(data(columns, rows, { ...overTime, hiddenSeries: 3 }), 0, writing)
    assert.deepStrictEqual([drawn.series.length, hidden, drawn.series[0]?.name], [60, 13, "g69"])
  })

  it("tells groups apart whose labels are the same", () => {
    const long = "x".repeat(500)
    const rows = [
      [0, `${long}a`, 2],
      [0, `${long}b`, 1]
    ]
    const names = drawnChart(data(columns, rows, overTime), 0, writing).data.series.map(({ name }) => name.slice(-6))
    assert.deepStrictEqual(names, ["xxxxx…", "x… (2)"])
  })
})

describe("tableColumns", () => {
  it("says what stands at the right, and what was before", () => {
    const found = tableColumns(data([time, group("g"), value("n"), previous("n")], []), writing)
    assert.deepStrictEqual(
      found.map(({ isNumber, isTime, title }) => [title, isNumber, isTime]),
      [
        ["time", false, true],
        ["g", false, false],
        ["n", true, false],
        ["before: n", true, false]
      ]
    )
    assert.strictEqual(found[2]?.text(1200), "1,200")
  })
})

describe("barsOf", () => {
  it("has the share and the length of each group", () => {
    const bars = barsOf(
      data(
        [group("g"), value("n")],
        [
          ["a", 30],
          ["b", "10"],
          [null, 0]
        ],
        { displayType: "pie" }
      ),
      writing
    )
    assert.deepStrictEqual(bars, [
      { label: "a", text: "30", part: 1, share: 0.75 },
      { label: "b", text: "10", part: 1 / 3, share: 0.25 },
      { label: "NULL", text: "0", part: 0, share: 0 }
    ])
  })

  it("has no share of what is negative, nor of nothing", () => {
    const bars = barsOf(
      data(
        [group("g"), value("n")],
        [
          ["a", -40],
          ["b", 10]
        ]
      ),
      writing
    )
    assert.deepStrictEqual(
      bars.map(({ part, share }) => [part, share]),
      [
        [1, undefined],
        [0.25, 1]
      ]
    )
    const none = barsOf(data([value("n")], [[0]]), writing)
    assert.deepStrictEqual(none, [{ label: "n", text: "0", part: 0, share: undefined }])
    assert.deepStrictEqual(barsOf(data([group("g")], [["a"]]), writing), [])
  })
})

describe("figuresOf", () => {
  const rules = (...colorRules: ReadonlyArray<object>) => ({ color: "chart-blue", colorRules })
  const colour = (shown: unknown, config: unknown) =>
    figuresOf(data([value("n")], [[shown]]), config, writing)[0]?.colour

  it("has the colour of the last rule that holds, and says it in words", () => {
    const config = rules(
      { operator: "gte", value: 1, color: "chart-warning", label: "much" },
      { operator: "gte", value: 5, color: "chart-error", label: "too much" }
    )
    const [figure] = figuresOf(data([value("n")], [[5]]), config, writing)
    assert.deepStrictEqual(figure, { text: "5", colour: "chart-error", rule: "too much", isPrevious: false })
    assert.deepStrictEqual(
      [colour(1, config), colour(0, config), colour(0, undefined)],
      ["chart-warning", "chart-blue", undefined]
    )
  })

  it.each([
    ["gt", 5, 5, false],
    ["gt", 5, 6, true],
    ["gte", 5, 5, true],
    ["gte", 5, 4, false],
    ["lt", 5, 5, false],
    ["lt", 5, 4, true],
    ["lte", 5, 5, true],
    ["lte", 5, 6, false],
    ["eq", 5, "5", true],
    ["eq", "x", "y", false],
    ["neq", 5, 5, false],
    ["neq", 5, 6, true],
    ["between", [1, 3], 1, true],
    ["between", [1, 3], 3, true],
    ["between", [1, 3], 3.1, false],
    ["between", [1, 3], 0.9, false],
    ["gt", 5, null, false],
    ["lt", 5, null, false],
    ["like", 5, 5, false]
  ])("%s %j of %j is %s", (operator, bound, shown, holds) => {
    const found = colour(shown, rules({ operator, value: bound, color: "chart-red" }))
    assert.strictEqual(found, holds ? "chart-red" : "chart-blue")
  })

  it("has no colour of the period before", () => {
    const figures = figuresOf(data([value("n"), previous("n")], [[5, 4]]), { color: "chart-blue" }, writing)
    assert.deepStrictEqual(figures[1], { text: "4", colour: undefined, rule: undefined, isPrevious: true })
  })
})

describe("notesOf", () => {
  it("says what is not shown", () => {
    assert.deepStrictEqual(notesOf(data([], []), 0), [])
    assert.deepStrictEqual(notesOf(data([], [], { truncated: true, warnings: ["a\u0000"] }), 2), [
      "2 more series are not shown.",
      "There are more rows than are shown.",
      "a\\u0000"
    ])
  })
})

describe("isOverTime", () => {
  it("is true for periods that have a length and a time", () => {
    assert.isTrue(isOverTime(data([time], [], overTime)))
    assert.isFalse(isOverTime(data([time], [])))
    assert.isFalse(isOverTime(data([value("n")], [], overTime)))
  })
})
