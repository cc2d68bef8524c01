import type { ChartData } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import { assert, describe, it } from "vitest"
import { labelWidthOf } from "../src/chart/Drawing.ts"
import { drawTile, type TileContent } from "../src/chart/drawTile.ts"

const start = Date.UTC(2026, 10, 23, 18)
const minute = 60_000

const value = { name: "count()", type: "UInt64", role: "value" } as const
const group = { name: "ServiceName", type: "String", role: "group" } as const
const time = { name: "bucket", type: "DateTime('UTC')", role: "time" } as const

const dataOf = (given: Partial<ChartData>): ChartData => ({
  displayType: "line",
  from: start,
  to: start + 8 * minute,
  columns: [time, group, value],
  rows: [],
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 0,
  elapsedMs: 1,
  warnings: [],
  ...given
})

const draw = (content: TileContent, { most = 10, name = "Requests", now = start + 3600_000, width = 60 } = {}) =>
  drawTile(
    { name, content },
    { width, labelWidth: labelWidthOf(width), zone: DateTime.zoneMakeNamedUnsafe("UTC"), now, most }
  )

const drawn = (given: Partial<ChartData>, options: Parameters<typeof draw>[1] = {}) =>
  draw({ _tag: "Data", data: dataOf(given), at: start }, options)

const overTime = { displayType: "line", granularitySeconds: 60 }
const points = (name: string | null, values: ReadonlyArray<number | string | null>) =>
  values.map((value, index) => [start + index * minute, name, value])

describe("a chart over time", () => {
  it("is a line of bars for each series, with its last and its largest value, those with the largest first", () => {
    const rows = [...points("web", [0, 1, 2, 3, 4, 5, 6, 7]), ...points("api", [700, 0, 350, 700, 600, 500, 400, 100])]
    assert.deepStrictEqual(drawn({ ...overTime, rows }), [
      "Requests                                        last     max",
      "  api           █▁▅█▇▆▅▂                         100     700",
      "  web           ▁▂▂▂▂▂▂▂                           7       7"
    ])
  })

  it("has a blank where nothing is known, and never a bar for it", () => {
    const rows = [
      [start, "api", 4],
      [start + 3 * minute, "api", 0],
      [start + 5 * minute, "api", null]
    ]
    assert.deepStrictEqual(drawn({ ...overTime, rows }), [
      "Requests                                        last     max",
      "  api           █  ▁                               0       4"
    ])
  })

  it("marks the period that still runs", () => {
    const rows = points("api", [1, 2, 3, 4, 5, 6, 7, 4])
    assert.deepStrictEqual(drawn({ ...overTime, rows }, { now: start + 7.5 * minute }).slice(1), [
      "  api           ▂▃▄▅▆▇█▅›                          4       7",
      "  › the last period still runs"
    ])
    assert.lengthOf(drawn({ ...overTime, rows }, { now: start + 8 * minute }), 2)
  })

  it("draws the largest value of several periods in a column where all do not fit", () => {
    const rows = Array.from({ length: 60 }, (_, index) => [start + index * minute, "api", index % 3 === 0 ? index : 1])
    const lines = drawn({ ...overTime, to: start + 60 * minute, rows })
    assert.deepStrictEqual(lines, [
      "Requests                                        last     max",
      "  api           ▂▂▂▃▃▃▄▄▄▅▅▆▆▆▇▇▇███               1      57",
      "  a column is 3 minutes, its bar the largest value"
    ])
  })

  it("shows the top series and how many there are", () => {
    const rows = ["a", "b", "c", "d"].flatMap((name, index) => points(name, [index + 1]))
    const lines = drawn({ ...overTime, rows, hiddenSeries: 96 }, { most: 2 })
    assert.deepStrictEqual(
      lines.slice(1).map((line) => line.trim().replaceAll(/\s+/g, " ")),
      ["d █ 4 4", "c ▇ 3 3", "2 of 100 series shown"]
    )
  })

  it("scales negative values from the least one, and the largest numbers without overflow", () => {
    assert.match(drawn({ ...overTime, rows: points("a", [-7, -3.5, 0]) })[1] ?? "", / a +▁▅█ /)
    assert.match(drawn({ ...overTime, rows: points("a", [-1e308, 0, 1e308]) })[1] ?? "", / a +▁▅█ /)
  })

  it("tells NULL from the text NULL and from an empty one, and names the columns of several values", () => {
    const rows = [...points(null, [1]), ...points("NULL", [2]), ...points("", [3])]
    const labels = drawn({ ...overTime, rows })
      .slice(1)
      .map((line) => line.trim().split(" ")[0])
    assert.deepStrictEqual(labels, ['""', '"NULL"', "NULL"])
    const columns = [time, value, { ...value, name: "p95", isPrevious: true }]
    const two = drawn({ ...overTime, columns, rows: [[start, 5, 900]] })
    assert.match(two[1] ?? "", /^ {2}before: p95 +█ +900 +900$/)
    assert.match(two[2] ?? "", /^ {2}count\(\) +█ +5 +5$/)
  })

  it("places days of a zone whose clocks change", () => {
    // Days of Berlin from 2026-03-27 to 2026-03-31: the 29th has 23 hours.
    const days = ["27T23", "28T23", "29T22", "30T22"].map((day) => Date.parse(`2026-03-${day}:00:00Z`))
    const rows = days.map((day, index) => [day, "a", index + 1])
    const data = { ...overTime, granularitySeconds: 86_400, from: days[0] ?? 0, to: Date.parse("2026-03-31T22:00:00Z") }
    assert.match(drawn({ ...data, rows })[1] ?? "", / a +▃▅▇█ /)
  })
})

describe("tables and groups", () => {
  it("puts a small table beside the name, numbers at the end", () => {
    const columns = [
      { name: "page", type: "String", role: "group" },
      { name: "count", type: "UInt64", role: "value" },
      { name: "p95 ms", type: "Float64", role: "value", numberFormat: { output: "number", mantissa: 1 } }
    ] as const
    const rows = [
      ["/checkout", 1204, 812.4],
      ["/", "9", 80]
    ]
    assert.deepStrictEqual(drawn({ displayType: "table", columns, rows }, { name: "Slowest pages", width: 80 }), [
      "Slowest pages        page       count  p95 ms",
      "                     /checkout  1,204   812.4",
      "                     /              9    80.0"
    ])
  })

  it("cuts long texts, not numbers, where a table does not fit beside each other", () => {
    const columns = [
      { name: "Timestamp", type: "DateTime64(3)", role: "time" },
      { name: "Body", type: "String", role: "group" },
      { name: "Duration", type: "UInt64", role: "group" }
    ] as const
    const rows = [[start + 123, `${"word ".repeat(400)}`, "18446744073709551615"]]
    const lines = drawn({ displayType: "search", columns, rows, truncated: true }, { name: "Latest rows" })
    assert.deepStrictEqual(lines, [
      "Latest rows",
      "  Timestamp                Body                     Duration",
      "  2026-11-23 18:00:00.123  word word …  18446744073709551615",
      "  1 of 1 or more rows shown"
    ])
  })

  it("draws bars with the share of a pie", () => {
    const rows = [
      ["api", 3],
      ["web", 1],
      ["none", 0]
    ]
    assert.deepStrictEqual(drawn({ displayType: "pie", columns: [group, value], rows, hiddenSeries: 7 }), [
      "Requests",
      "  api           ██████████████████████████████████ 3  75.0 %",
      "  web           ███████████▍                       1  25.0 %",
      "  none                                             0   0.0 %",
      "  3 of 10 groups shown"
    ])
  })
})

describe("the other tiles", () => {
  it("are a number, a text, a heatmap, a reason, or nothing", () => {
    assert.deepStrictEqual(drawn({ displayType: "number", columns: [value], rows: [["12000"]] }), [
      "Requests        12,000"
    ])
    assert.deepStrictEqual(drawn({ displayType: "number", columns: [value], rows: [[null]] }), ["Requests        N/A"])
    assert.deepStrictEqual(drawn({ displayType: "line" }), ["Requests        no rows in this range"])
    assert.deepStrictEqual(draw({ _tag: "Text", text: "# Notes\n\nAsk *us*" }), [
      "Requests",
      "  # Notes",
      "",
      "  Ask *us*"
    ])
    assert.deepStrictEqual(draw({ _tag: "Failed", reason: "event_patterns tiles are not queried" }), [
      "Requests        not shown: event_patterns tiles are not",
      "                queried"
    ])
  })

  it("says how old a picture is that could not be renewed, and what the answer warns of", () => {
    const data = dataOf({ displayType: "number", columns: [value], rows: [[3]], warnings: ["read as it is"] })
    const now = start + 12_000
    assert.deepStrictEqual(draw({ _tag: "Data", data, at: start, problem: "no answer" }, { now }), [
      "Requests        3",
      "  of 12s ago: no answer",
      "  warning: read as it is"
    ])
  })

  it("draws the ranges of a heatmap with the larger values above, some together where there are many", () => {
    const group = (name: string) => ({ name, type: "Float64", role: "group" }) as const
    const columns = [time, group("row"), group("from"), group("to"), value]
    const rows = [
      [start, 0, null, 1, 7],
      [start, 3, 100, 1000, 1],
      [start + minute, 3, 100, 1000, 14],
      [start + 2 * minute, 2, 10, 100, 0]
    ]
    const heatmap = { displayType: "heatmap", granularitySeconds: 60, columns, rows }
    assert.deepStrictEqual(drawn(heatmap), ["Requests", "  100           ▂█", "  10", "", "  below         ▅"])
    assert.deepStrictEqual(drawn(heatmap, { most: 2 }), ["Requests", "  10            ▂█", "  below         ▅"])
  })

  it("draws the groups of a heatmap", () => {
    const rows = [
      [start, "b", 0],
      [start, "a", 7],
      [start + minute, "b", 14]
    ]
    assert.deepStrictEqual(drawn({ displayType: "heatmap", granularitySeconds: 60, rows }), [
      "Requests",
      "  a             ▅",
      "  b             ▁█"
    ])
  })
})

/** The columns that a terminal shows of a line. */
const wide = /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u
const columnsIn = (line: string): number =>
  Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line)).reduce(
    (sum, { segment }) => sum + (wide.test(segment) ? 2 : 1),
    0
  )

describe("whatever the answer holds", () => {
  const hostile = [
    "\u001b]0;owned\u0007",
    "a\nb\rc",
    "\u202eabc",
    "表は広い表は広い表は広い",
    "👩‍👩‍👧‍👦".repeat(20),
    "x".repeat(2000),
    "\u009b31m"
  ]
  const columns = [group, value, { ...value, name: "\u001b[2J" }] as const

  it.each([60, 80, 140])("fits %d columns and cannot control the terminal", (width) => {
    const shapes: ReadonlyArray<Partial<ChartData>> = [
      { ...overTime, columns: [time, ...columns], rows: hostile.map((text) => [start, text, 1, 2]) },
      ...["table", "pie", "bar", "search"].map((displayType) => ({
        displayType,
        columns: [...columns, ...columns],
        rows: hostile.map((text) => [text, 1, text, text, "9".repeat(50), null])
      })),
      {
        displayType: "heatmap",
        granularitySeconds: 60,
        columns: [time, group, value],
        rows: hostile.map((text) => [start, text, 2])
      },
      { displayType: "number", columns: [value], rows: [["\u001b[2J"]] },
      { displayType: "number", columns: [value], rows: [[3]], warnings: hostile }
    ]
    for (const shape of shapes) {
      for (const name of hostile) {
        for (const line of drawn(shape, { name, width })) {
          // oxlint-disable-next-line no-control-regex
          assert.notMatch(line, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
          assert.isAtMost(columnsIn(line), width, line)
        }
      }
    }
  })
})
