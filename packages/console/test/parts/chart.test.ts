import { describe, expect, it } from "vitest"
import {
  lonely,
  marksBetween,
  nearest,
  stacked,
  styleOf,
  styleOfSeries,
  summaryOf,
  valueText
} from "../../src/parts/chart/chartModel.ts"

it("shows values without a neighbour as points", () => {
  expect(lonely([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(lonely([null, undefined, 0, null])).toEqual([2])
  expect(lonely([1, 2])).toEqual([])
})

it("tells lines apart by eight colours, then by dashes", () => {
  const styles = Array.from({ length: 32 }, (_, index) => styleOf(index, false))
  expect(styles.slice(0, 8).every(({ colour, dash }, index) => colour === index + 1 && dash.length === 0)).toBe(true)
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(32)
  expect(styles[8]?.dash.length).toBe(2)
  const plain = Array.from({ length: 8 }, (_, index) => JSON.stringify(styleOf(index, true).dash))
  expect(new Set(plain).size).toBe(8)
})

it.each([
  [[0, 10, 20], 4, 0],
  [[0, 10, 20], 6, 1],
  [[0, 10, 20], 15, 1],
  [[0, 10, 20], 16, 2],
  [[0, 10, 20], 99, 2],
  [[0, 10, 20], -5, 0],
  [[7], 9, 0]
])("of %s, the nearest to %d is %d", (times, time, index) => {
  expect(nearest(times, time)).toBe(index)
})

describe("the summary", () => {
  const text = (value: number) => `${value} rows`

  it("has the last, the least and the largest value", () => {
    expect(summaryOf({ name: "Rows", values: [5, null, 1, 9, 3, null] }, text)).toBe(
      "Rows: last 3 rows, least 1 rows, most 9 rows."
    )
  })

  it("says that there are no values", () => {
    expect(summaryOf({ name: "Lag", values: [null, Number.NaN] }, text)).toBe("Lag: no values.")
  })

  it.each([
    [3, "3 rows"],
    [-0, "0 rows"],
    [null, "–"],
    [undefined, "–"],
    [Number.NaN, "–"],
    [Number.POSITIVE_INFINITY, "∞"],
    [Number.NEGATIVE_INFINITY, "-∞"]
  ])("writes %s as %s", (value, written) => {
    expect(valueText(value, text)).toBe(written)
  })
})

it("finds the marks of a bucket", () => {
  const marks = [9, 10, 19, 20].map((at) => ({ at, text: String(at) }))
  expect(marksBetween(marks, 10, 20).map(({ at }) => at)).toEqual([10, 19])
  expect(marksBetween(undefined, 10, 20)).toEqual([])
})

describe("series on top of each other", () => {
  const series = [
    { name: "a", values: [1, null, 4, null] },
    { name: "b", values: [10, 20, null, null] },
    { name: "c", values: [100, 200, 300, null] }
  ]

  it("are each the sum of those after them, so that the last one is in front", () => {
    expect(stacked(series, () => true)).toEqual([
      [111, 220, 304, null],
      [110, 220, 300, null],
      [100, 200, 300, null]
    ])
  })

  it("leave out one that is hidden", () => {
    expect(stacked(series, (name) => name !== "b")).toEqual([
      [101, 200, 304, null],
      [null, null, null, null],
      [100, 200, 300, null]
    ])
  })
})

describe("the style of a series of the period before", () => {
  const before = { name: "before: a", values: [], isPrevious: true, like: 1 }

  it("has the colour of the one that it is compared with, and dashes", () => {
    expect(styleOfSeries(before, 5, false)).toEqual({ colour: 2, dash: [2, 4] })
    expect(styleOfSeries({ ...before, like: 0 }, 5, false).colour).toBe(1)
    expect(styleOfSeries({ name: "a", values: [] }, 5, false)).toEqual({ colour: 6, dash: [] })
    expect(styleOfSeries({ name: "a", values: [] }, 1, true)).toEqual(styleOf(1, true))
  })
})
