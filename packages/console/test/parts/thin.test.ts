import { describe, expect, it } from "vitest"
import { valueRange } from "../../src/parts/chart/chartModel.ts"
import { drawable, drawnColumns, thin } from "../../src/parts/chart/thin.ts"

describe("a value that is drawn", () => {
  it.each([
    [1.5, 1.5],
    [0, 0],
    [1e308, 1e300],
    [-1e308, -1e300],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.NEGATIVE_INFINITY, null],
    [null, null],
    [undefined, null]
  ])("of %s is %s", (value, drawn) => {
    expect(drawable(value)).toBe(drawn)
  })

  it("is 0 for -0", () => {
    expect(Object.is(drawable(-0), 0)).toBe(true)
  })

  it("has an axis with an end, whatever the values are", () => {
    for (const [least, most] of [
      [-1e300, 1e300],
      [0, 1e300],
      [-1e300, -1e300]
    ]) {
      const [low, high] = valueRange(least, most)
      expect(Number.isFinite(high - low) && high > low).toBe(true)
    }
  })

  it.each([
    [10, 100, [0, 105]],
    [-100, 100, [-110, 110]],
    [-100, -10, [-105, 0]],
    [0, 0, [0, 1]],
    [null, null, [0, 1]],
    [undefined, undefined, [0, 1]]
  ])("between %s and %s has the axis %s", (least, most, range) => {
    const found = valueRange(least, most)
    expect(found.map((value) => value + 0)).toEqual(range)
  })
})

describe("thinning", () => {
  // Not how `thin` does it: the extremes of each pixel by sorting what is in it.
  const extremes = (times: ReadonlyArray<number>, values: ReadonlyArray<number | null>, to: number, pixels: number) => {
    const held = new Map<number, Array<number>>()
    for (const [index, time] of times.entries()) {
      const pixel = Math.min(Math.floor((time / to) * pixels), pixels - 1)
      const value = values[index]
      if (typeof value === "number") held.set(pixel, [...(held.get(pixel) ?? []), value])
    }
    return new Map([...held].map(([pixel, all]) => [pixel, [Math.min(...all), Math.max(...all)]]))
  }
  // Repeatable noise with gaps.
  const noise = (length: number, seed: number) =>
    Array.from({ length }, (_, index) => {
      const value = Math.sin((index + seed) * 12.9898) * 43_758.5453
      const part = value - Math.floor(value)
      return part < 0.1 ? null : part * 100
    })

  it("keeps the least and the largest of each pixel, and at most two points of it", () => {
    for (const [length, pixels] of [
      [1000, 100],
      [5000, 7],
      [501, 250],
      [10_000, 333]
    ] as const) {
      const times = Array.from({ length }, (_, index) => index * 10)
      const to = length * 10
      const series = [noise(length, 1), noise(length, 2)]
      const thinned = thin({ times, series }, 0, to, pixels)
      expect(thinned.times.length).toBeLessThanOrEqual(2 * pixels)
      expect(thinned.times.every((time, index) => time > (thinned.times[index - 1] ?? -1))).toBe(true)
      for (const [index, values] of series.entries()) {
        expect(thinned.series[index]?.length).toBe(thinned.times.length)
        expect(extremes(thinned.times, thinned.series[index] ?? [], to, pixels)).toEqual(
          extremes(times, values, to, pixels)
        )
      }
    }
  })

  it("keeps the order in which the least and the largest came", () => {
    const times = [0, 1, 2, 3, 4, 5, 6, 7]
    const series = [[1, 9, 5, 2, 9, 1, 4, 4]]
    expect(thin({ times, series }, 0, 8, 2)).toEqual({ times: [0, 3, 4, 7], series: [[1, 9, 9, 1]] })
  })

  it("takes the first of equal ones, in a range that does not begin at 0", () => {
    const times = [100, 101, 102, 103, 104, 105, 106, 107]
    const series = [[1, 9, 1, 9, 9, 1, 9, 1]]
    expect(thin({ times, series }, 100, 108, 2)).toEqual({ times: [100, 103, 104, 107], series: [[1, 9, 9, 1]] })
  })

  it("leaves a gap that is as wide as a pixel", () => {
    const times = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    const series = [[1, 2, 3, null, null, null, 4, 5, 6]]
    expect(thin({ times, series }, 0, 9, 3).series).toEqual([[1, 3, null, null, 4, 6]])
  })

  it("leaves few points as they are", () => {
    const columns = { times: [0, 1, 2, 3], series: [[1, null, 2, 3]] }
    expect(thin(columns, 0, 4, 2)).toEqual(columns)
    expect(thin({ times: [], series: [[]] }, 0, 4, 2)).toEqual({ times: [], series: [[]] })
  })

  it("draws something into less than a pixel, and into a range without length", () => {
    const columns = { times: [0, 1, 2, 3], series: [[1, 5, 0, 3]] }
    expect(thin(columns, 0, 4, 0.5)).toEqual({ times: [0, 3], series: [[5, 0]] })
    expect(thin(columns, 4, 4, 1)).toEqual(columns)
  })

  it("takes points beyond the range for its ends", () => {
    const columns = { times: [-50, -40, 1, 2, 90, 99], series: [[1, 2, 3, 4, 5, 6]] }
    expect(thin(columns, 0, 10, 2)).toEqual({ times: [-50, 2, 90, 99], series: [[1, 4, 5, 6]] })
  })

  it("keeps one point of a pixel that has one", () => {
    expect(thin({ times: [0, 1, 2, 3, 9], series: [[1, 2, 3, 4, 5]] }, 0, 10, 2)).toEqual({
      times: [0, 3, 9],
      series: [[1, 4, 5]]
    })
  })
})

describe("a bucket that has not ended", () => {
  const drawn = (series: ReadonlyArray<ReadonlyArray<number | null>>, isRunning: boolean, pixels = 100) => {
    const times = (series[0] ?? []).map((_, index) => index * 10)
    return drawnColumns({ times, series }, { from: 0, to: times.length * 10, isRunning }, pixels)
  }

  it("is drawn by a line of its own, from the one before", () => {
    expect(drawn([[1, 2, 3]], true)).toEqual({
      times: [0, 10, 20],
      series: [
        [1, 2, null],
        [null, 2, 3]
      ]
    })
    expect(drawn([[1]], true)).toEqual({ times: [0], series: [[null], [1]] })
    expect(drawn([[]], true)).toEqual({ times: [], series: [[], []] })
  })

  it("has no line before it has a value, and none over a gap", () => {
    expect(drawn([[1, 2, null]], true).series).toEqual([
      [1, 2, null],
      [null, null, null]
    ])
    expect(drawn([[1, null, 3]], true).series).toEqual([
      [1, null, null],
      [null, null, 3]
    ])
  })

  it("is not there if all have ended", () => {
    expect(drawn([[1, 2]], false)).toEqual({
      times: [0, 10],
      series: [
        [1, 2],
        [null, null]
      ]
    })
  })

  it("is not thinned away", () => {
    const values = Array.from({ length: 100 }, (_, index) => index)
    const found = drawn([values, values], true, 10)
    expect(found.times.length).toBe(21)
    expect(found.times.at(-1)).toBe(990)
    expect(found.series.map((line) => line.slice(-2))).toEqual([
      [98, null],
      [98, 99],
      [98, null],
      [98, 99]
    ])
    expect(found.series.every((line) => line.length === 21)).toBe(true)
  })

  it("is drawn as far as it can be", () => {
    expect(drawn([[1e308, Number.NaN, -1e308]], true).series).toEqual([
      [1e300, null, null],
      [null, null, -1e300]
    ])
  })
})

describe("a bar of a bucket that has not ended", () => {
  it("is drawn alone", () => {
    const columns = { times: [0, 1, 2], series: [[5, 6, 7]] }
    const range = { from: 0, to: 2, isRunning: true }
    expect(drawnColumns(columns, { ...range, isJoined: false }, 100).series).toEqual([
      [5, 6, null],
      [null, null, 7]
    ])
    expect(drawnColumns(columns, { ...range, isJoined: true }, 100).series[1]).toEqual([null, 6, 7])
  })
})
