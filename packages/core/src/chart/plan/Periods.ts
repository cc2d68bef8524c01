import * as Result from "effect/Result"
import type { FieldIssue } from "../../error/FieldIssue.ts"
import { type ChartQuery, firstTime, granularities, lastTime } from "../ChartQuery.ts"
import { dayMillis, type Zone } from "./Zone.ts"

/** A range of time in milliseconds since 1970. `to` is not in it. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The periods of a chart over time. */
export interface Periods {
  readonly seconds: number
  readonly zone: Zone
  /** The range that is read. */
  readonly range: TimeRange
  /** The beginnings of the periods in their order. The first may be before the range. */
  readonly starts: ReadonlyArray<number>
}

const unitSeconds = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86_400]
])

const secondsOf = (granularity: (typeof granularities)[number]): number =>
  Number(granularity.slice(0, -1)) * (unitSeconds.get(granularity.slice(-1)) ?? 1)

// Each divides the longer ones, which 10 minutes do not.
const automatic = granularities.filter((one) => one !== "1s" && one !== "10m").map(secondsOf)
const mostAutomatic = 60

/** The shortest period of which a range has at most 60. */
export const automaticSeconds = ({ from, to }: TimeRange): number => {
  const least = Math.ceil((to - from) / 1000 / mostAutomatic)
  return automatic.find((seconds) => seconds >= least) ?? automatic.at(-1) ?? least
}

/** The most periods of a chart. */
const mostPeriods = 100_000

// Periods of databases begin between 1970 and 2106.
const firstPeriod = 0
const lastPeriod = 4_294_967_295_000

/** Periods of a day or longer begin with days of the zone. Shorter ones are the same in all zones. */
const startOf = (millis: number, seconds: number, zone: Zone): number => {
  const length = seconds * 1000
  if (length < dayMillis) return Math.floor(millis / length) * length
  const days = length / dayMillis
  return zone.startOfDay(Math.floor(zone.dayOf(millis) / days) * days)
}

/** The beginning of the period that is `count` periods after the one that begins at `start`, or before it. */
const moved = (start: number, count: number, seconds: number, zone: Zone): number => {
  const length = seconds * 1000
  return length < dayMillis ? start + count * length : zone.startOfDay(zone.dayOf(start) + (count * length) / dayMillis)
}

const startsIn = ({ from, to }: TimeRange, seconds: number, zone: Zone): ReadonlyArray<number> => {
  if (from === to) return []
  const first = startOf(from, seconds, zone)
  const starts: Array<number> = []
  for (let count = 0; ; count += 1) {
    const start = moved(first, count, seconds, zone)
    if (start >= to) return starts
    // A zone may have left out a day.
    if (start !== starts.at(-1)) starts.push(start)
  }
}

const aligned = ({ from, to }: TimeRange, seconds: number, zone: Zone): TimeRange => {
  if (from === to) return { from, to }
  const end = startOf(to, seconds, zone)
  return { from: startOf(from, seconds, zone), to: end === to ? to : moved(end, 1, seconds, zone) }
}

interface PeriodsOptions {
  readonly granularity: ChartQuery["granularity"]
  readonly zone: Zone
  /** Whether the range begins and ends with whole periods. */
  readonly isAligned: boolean
}

/** The periods of a range, which is not reversed. */
export const periodsOf = (
  asked: TimeRange,
  { granularity = "auto", isAligned, zone }: PeriodsOptions
): Result.Result<Periods, FieldIssue> => {
  const clip = (millis: number) => Math.min(Math.max(millis, firstPeriod), lastPeriod)
  const clipped = { from: clip(asked.from), to: clip(asked.to) }
  const seconds = granularity === "auto" ? automaticSeconds(clipped) : secondsOf(granularity)
  const count = Math.ceil((clipped.to - clipped.from) / 1000 / seconds)
  if (count > mostPeriods) {
    const few = "choose a longer one, or auto"
    const message = `${granularity} makes ${count} periods of this range, and there may be ${mostPeriods}: ${few}`
    return Result.fail({ path: "granularity", message })
  }
  const range = isAligned ? aligned(clipped, seconds, zone) : clipped
  return Result.succeed({ seconds, zone, range, starts: startsIn(range, seconds, zone) })
}

/** The range before a range, as long as it. */
export const previousRange = ({ from, to }: TimeRange): TimeRange => ({ from: from - (to - from), to: from })

/** As many periods before these. A range that does not begin and end with periods is moved as a whole. */
export const previousPeriods = ({ range, seconds, starts, zone }: Periods): Periods => {
  const [first = range.from] = starts
  const next = moved(starts.at(-1) ?? first, 1, seconds, zone)
  const isWhole = first === range.from && next === range.to
  const before = isWhole ? { from: moved(first, -starts.length, seconds, zone), to: range.from } : previousRange(range)
  return { range: before, seconds, zone, starts: startsIn(before, seconds, zone) }
}

/** What is wrong with a range. */
export const rangeIssue = ({ from, to }: TimeRange): FieldIssue | undefined => {
  if (from > to) return { path: "from", message: "Expected a time that is not after `to`" }
  const isOutside = (millis: number) => millis < firstTime || millis > lastTime
  const path = isOutside(from) ? "from" : isOutside(to) ? "to" : undefined
  return path === undefined ? undefined : { path, message: "Expected a time from 1900 to 2299" }
}
