import type { ChartColumn, ChartData } from "@headgate/core"
import { chartColumns, chartLabel, chartNumber, lastPeriodRuns, timeChartOf } from "@headgate/core/adapter"
import { assert, describe, it } from "vitest"

const time: ChartColumn = { name: "time", type: "DateTime", role: "time" }
const group = (name: string): ChartColumn => ({ name, type: "String", role: "group" })
const value = (name: string): ChartColumn => ({ name, type: "UInt64", role: "value" })

const data = (
  columns: ReadonlyArray<ChartColumn>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  about: Partial<ChartData> = {}
): ChartData => ({
  displayType: "line",
  from: 0,
  to: 240_000,
  granularitySeconds: 60,
  columns,
  rows,
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 0,
  elapsedMs: 0,
  warnings: [],
  ...about
})

const texts = { group: chartLabel, name: (name: string) => name.toUpperCase() }

describe("chartLabel", () => {
  it.each([
    [null, "NULL"],
    [undefined, "NULL"],
    ["NULL", '"NULL"'],
    ["", '""'],
    ["null", "null"],
    ["a\nb", "a\nb"],
    [12, "12"],
    [true, "true"],
    [["a"], '["a"]']
  ])("%j is %s", (given, wanted) => assert.strictEqual(chartLabel(given), wanted))
})

describe("chartNumber", () => {
  it.each([
    [1.5, 1.5],
    ["18446744073709551615", 18446744073709552000],
    ["", undefined],
    [" ", undefined],
    ["x", undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [null, undefined],
    [true, undefined],
    [0, 0]
  ])("%j is %j", (given, wanted) => assert.strictEqual(chartNumber(given), wanted))
})

describe("chartColumns", () => {
  it("has those of a role with their places", () => {
    const [first, second] = [value("a"), value("b")]
    assert.deepStrictEqual(chartColumns(data([time, first, group("g"), second], []), "value"), [
      { index: 1, column: first },
      { index: 3, column: second }
    ])
  })
})

describe("timeChartOf", () => {
  it("makes a series of each group, the largest peak first, and leaves gaps", () => {
    const chart = timeChartOf(
      data(
        [time, group("service"), value("count")],
        [
          [0, "web", 5],
          [120_000, "web", 1],
          [0, null, 5],
          [60_000, "NULL", "9007199254740993"]
        ]
      ),
      texts
    )
    assert.deepStrictEqual(chart.times, [0, 60_000, 120_000, 180_000])
    assert.deepStrictEqual(
      chart.series.map(({ label, last, largest, values }) => ({ label, last, largest, values })),
      [
        {
          label: '"NULL"',
          last: "9007199254740993",
          largest: "9007199254740993",
          values: [undefined, 9007199254740992, undefined, undefined]
        },
        { label: "NULL", last: 5, largest: 5, values: [5, undefined, undefined, undefined] },
        { label: "web", last: 1, largest: 5, values: [5, undefined, 1, undefined] }
      ]
    )
  })

  it("names the values where there are several, or no group", () => {
    const columns = [time, group("service"), value("a"), value("b")]
    const both = timeChartOf(data(columns, [[0, "web", 1, 2]]), texts)
    assert.deepStrictEqual(
      both.series.map(({ label }) => label),
      ["web, B", "web, A"]
    )
    const one = timeChartOf(data([time, value("a")], [[0, 1]]), texts)
    assert.deepStrictEqual(
      one.series.map(({ label }) => label),
      ["A"]
    )
  })

  it("does not name the values of the period before, where there is one value", () => {
    const columns = [time, group("service"), value("a"), { ...value("a"), isPrevious: true }]
    assert.deepStrictEqual(
      timeChartOf(data(columns, [[0, "web", 2, 1]]), texts).series.map(({ label }) => label),
      ["web", "before: web"]
    )
  })

  it("marks the values of the period before", () => {
    const chart = timeChartOf(data([time, value("a"), { ...value("a"), isPrevious: true }], [[0, 1, 2]]), texts)
    assert.deepStrictEqual(
      chart.series.map(({ label }) => label),
      ["before: A", "A"]
    )
  })

  it("has the periods of the range before the first row and after the last", () => {
    const chart = timeChartOf(data([time, value("a")], [[120_000, 1]]), texts)
    assert.deepStrictEqual([chart.periods, chart.firstPeriod, chart.period], [4, 0, 60_000])
    assert.deepStrictEqual(chart.series[0]?.values, [undefined, undefined, 1, undefined])
  })

  it("has the beginnings of days that are shorter or longer", () => {
    // The days of Berlin around 2026-03-29, which has 23 hours.
    const days = [Date.UTC(2026, 2, 27, 23), Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 22)]
    const chart = timeChartOf(
      data(
        [time, value("a")],
        days.map((at, index) => [at, index]),
        { from: days[0] ?? 0, to: Date.UTC(2026, 2, 30, 22), granularitySeconds: 86_400 }
      ),
      texts
    )
    assert.deepStrictEqual(chart.times, days)
    assert.deepStrictEqual(chart.series[0]?.values, [0, 1, 2])
  })

  it("has no period without rows, and leaves out a row without a time", () => {
    assert.deepStrictEqual(timeChartOf(data([time, value("a")], [[null, 1]]), texts), {
      series: [],
      periods: 0,
      firstPeriod: 0,
      period: 60_000,
      times: []
    })
  })
})

describe("lastPeriodRuns", () => {
  const chart = timeChartOf(data([time, value("a")], [[180_000, 1]]), texts)
  it.each([
    [179_999, false],
    [180_000, true],
    [239_999, true],
    [240_000, false]
  ])("at %d is %s", (now, wanted) => assert.strictEqual(lastPeriodRuns(chart, now), wanted))
})
