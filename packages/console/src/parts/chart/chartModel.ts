import { none } from "../../format/numbers.ts"

/** A line of a chart. */
export interface ChartSeries {
  readonly name: string
  /** A value for each time; `null` is a gap, which is neither joined nor 0. */
  readonly values: ReadonlyArray<number | null>
  /** Whether it is that of the period before: it is dashed. */
  readonly isPrevious?: boolean
  /** The place of the series whose colour it has; its own by default. */
  readonly like?: number
  /** A value of it in full, where it is not written as the others. */
  readonly text?: (value: number) => string
}

/** Something that happened at a time, marked on the axis. */
export interface ChartMark {
  readonly at: number
  readonly text: string
}

/** What a chart shows. */
export interface ChartData {
  /** The beginning of each bucket, in milliseconds since 1970, ascending. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<ChartSeries>
  /** Whether the last bucket has not ended: the line to it is dashed. */
  readonly isRunning: boolean
  /** The range of the axis. */
  readonly from: number
  readonly to: number
  readonly marks?: ReadonlyArray<ChartMark>
  /** How the series are drawn: as lines by default, or on top of each other. */
  readonly shape?: "line" | "stacked_bar" | "stacked_line"
}

/** The range of the axis of values: it has 0, and a bit more than the largest. */
export const valueRange = (least: number | null | undefined, most: number | null | undefined): [number, number] => {
  const [low, high] = [Math.min(least ?? 0, 0), Math.max(most ?? 0, 0)]
  if (!(high > low)) return [0, 1]
  const more = (high - low) * 0.05
  return [low < 0 ? low - more : 0, high > 0 ? high + more : 0]
}

/** The places of values that have no neighbour: a line would not show them. */
export const lonely = (values: ReadonlyArray<number | null | undefined>): Array<number> => {
  const has = (index: number) => typeof values[index] === "number"
  return values.flatMap((_, index) => (has(index) && !has(index - 1) && !has(index + 1) ? [index] : []))
}

/** How a line differs from the others: one of eight colours, and from the ninth on dashes. Without colours each has its dashes. */
export const styleOf = (
  index: number,
  isWithoutColours: boolean
): { readonly colour: number; readonly dash: number[] } => {
  const round = isWithoutColours ? index : Math.floor(index / 8)
  return { colour: (index % 8) + 1, dash: round === 0 ? [] : [2 + 3 * round, 3 + (round % 3)] }
}

/** How a series of a chart differs from the others: that of the period before by its dashes from the one that it is compared with. */
export const styleOfSeries = ({ isPrevious = false, like }: ChartSeries, index: number, isWithoutColours: boolean) => {
  const style = styleOf(like ?? index, isWithoutColours)
  return isPrevious ? { ...style, dash: [2, 4] } : style
}

/**
 * Values on top of each other: each series with the sum of those after it, so that drawn one after the other each is seen below the one
 * before. A series that is not shown adds nothing; a gap stays one where nothing is below it.
 */
export const stacked = (
  series: ReadonlyArray<ChartSeries>,
  isShown: (name: string) => boolean
): ReadonlyArray<ReadonlyArray<number | null>> => {
  let below: ReadonlyArray<number | null> = []
  return series
    .toReversed()
    .map(({ name, values }) => {
      if (!isShown(name)) return values.map(() => null)
      below = values.map((value, index) => {
        const sum = below[index] ?? null
        return value === null ? sum : value + (sum ?? 0)
      })
      return below
    })
    .toReversed()
}

/** The place of the time that is nearest. */
export const nearest = (times: ReadonlyArray<number>, time: number): number => {
  let [low, high] = [0, times.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= time) low = middle
    else high = middle
  }
  return Math.abs((times[high] ?? Infinity) - time) < Math.abs((times[low] ?? 0) - time) ? high : low
}

/** What a series has in all, for those who do not see the chart: the last, the least and the largest value. */
export const summaryOf = ({ name, values }: ChartSeries, text: (value: number) => string): string => {
  const numbers = values.filter((value): value is number => value !== null && !Number.isNaN(value))
  const last = numbers.at(-1)
  if (last === undefined) return `${name}: no values.`
  const least = numbers.reduce((one, other) => Math.min(one, other))
  const most = numbers.reduce((one, other) => Math.max(one, other))
  return `${name}: last ${text(last)}, least ${text(least)}, most ${text(most)}.`
}

/** A value as a person reads it: also one that no line can show. */
export const valueText = (value: number | null | undefined, text: (value: number) => string): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return none
  if (Number.isFinite(value)) return text(value + 0)
  return value > 0 ? "∞" : "-∞"
}

/** The marks between two times; the second is not among them. */
export const marksBetween = (marks: ReadonlyArray<ChartMark> | undefined, from: number, to: number) =>
  (marks ?? []).filter(({ at }) => at >= from && at < to)
