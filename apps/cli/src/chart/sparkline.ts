/** The levels of a line of bars, the lowest first. */
const levels = Array.from("▁▂▃▄▅▆▇█")

/** The level of a value between the least and the largest one, which are those of the whole line or map. */
const levelOf = (value: number, least: number, largest: number): string => {
  // The difference of two large numbers may be infinite.
  const scale = Math.max(Math.abs(least), Math.abs(largest))
  const height = scale === 0 ? 0 : largest / scale - least / scale
  const part = height === 0 ? 0 : (value / scale - least / scale) / height
  return levels[Math.ceil(part * (levels.length - 1))] ?? ""
}

/** The least and the largest of some values and 0. */
export const boundsOf = (values: Iterable<number | undefined>): readonly [least: number, largest: number] => {
  let least = 0
  let largest = 0
  for (const value of values) {
    if (value === undefined) continue
    least = Math.min(least, value)
    largest = Math.max(largest, value)
  }
  return [least, largest]
}

/**
 * A line of bars; a blank where nothing is known. The largest value is a whole bar, and 0 the lowest one, or the least value where it is
 * negative.
 */
export const sparkline = (
  values: ReadonlyArray<number | undefined>,
  [least, largest]: readonly [least: number, largest: number] = boundsOf(values)
): string => values.map((value) => (value === undefined ? " " : levelOf(value, least, largest))).join("")
