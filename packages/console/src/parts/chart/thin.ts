/** Values over time. `null` is a gap. */
export interface Columns {
  /** Milliseconds since 1970, ascending. */
  readonly times: ReadonlyArray<number>
  /** The values of each series, one for each time. */
  readonly series: ReadonlyArray<ReadonlyArray<number | null>>
}

// A difference of two of them is still a number.
const largest = 1e300

/** A value as it can be drawn: what is no number is a gap, and none is so large that the length of an axis is infinite. */
export const drawable = (value: number | null | undefined): number | null => {
  if (typeof value !== "number" || !Number.isFinite(value)) return null
  // Adding 0 makes 0 of -0.
  return Math.min(Math.max(value, -largest), largest) + 0
}

/** The least and the largest value of a part of a series, in the order of time; `null` where it has none. */
const ends = (
  values: ReadonlyArray<number | null>,
  from: number,
  to: number
): readonly [number | null, number | null] => {
  let [least, most] = [-1, -1]
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? null
    if (value === null) continue
    if (least === -1 || value < (values[least] ?? 0)) least = index
    if (most === -1 || value > (values[most] ?? 0)) most = index
  }
  if (least === -1) return [null, null]
  const [first, last] = [Math.min(least, most), Math.max(least, most)]
  return [values[first] ?? null, values[last] ?? null]
}

/**
 * Thins what is drawn to at most two points a pixel: the least and the largest value of each, so that no peak is lost. Less than that
 * stays as it is, and a gap that is narrower than a pixel is not seen.
 */
export const thin = ({ series, times }: Columns, from: number, to: number, pixels: number): Columns => {
  const most = Math.max(Math.floor(pixels), 1)
  if (times.length <= 2 * most || !(to > from)) return { times, series }
  const kept: Array<number> = []
  const values: ReadonlyArray<Array<number | null>> = series.map(() => [])
  const pixelOf = (time: number) => Math.min(Math.max(Math.floor(((time - from) / (to - from)) * most), 0), most - 1)
  for (let start = 0; start < times.length;) {
    const pixel = pixelOf(times[start] ?? 0)
    let end = start + 1
    while (end < times.length && pixelOf(times[end] ?? 0) === pixel) end += 1
    kept.push(times[start] ?? 0)
    if (end - start > 1) kept.push(times[end - 1] ?? 0)
    for (const [index, one] of series.entries()) {
      const [first, last] = ends(one, start, end)
      values[index]?.push(...(end - start > 1 ? [first, last] : [first]))
    }
    start = end
  }
  return { times: kept, series: values }
}

/**
 * What is drawn: for each series the line of the buckets that have ended, and the one to the bucket that has not. With `isJoined: false`
 * the latter has that bucket alone, as bars do.
 */
export const drawnColumns = (
  { series, times }: Columns,
  range: { readonly from: number; readonly to: number; readonly isRunning: boolean; readonly isJoined?: boolean },
  pixels: number
): Columns => {
  const values = series.map((one) => one.map(drawable))
  const ended = range.isRunning ? Math.max(times.length - 1, 0) : times.length
  const before = { times: times.slice(0, ended), series: values.map((one) => one.slice(0, ended)) }
  const thinned = thin(before, range.from, range.to, pixels)
  const gap = thinned.times.map(() => null)
  return {
    times: [...thinned.times, ...times.slice(ended)],
    series: thinned.series.flatMap((line, index) => {
      const running = (values[index] ?? []).slice(ended)
      const isDrawn = range.isJoined !== false && running.some((value) => value !== null)
      return [
        [...line, ...running.map(() => null)],
        [...gap.slice(0, -1), ...(isDrawn ? line.slice(-1) : gap.slice(-1)), ...running]
      ]
    })
  }
}
