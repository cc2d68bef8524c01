import {
  type DataType,
  dateTime,
  dateTime64,
  isInteger,
  isTime,
  notNullable,
  plain,
  typeText
} from "../value/DataType.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { textOf, floorDivide, powerOf10, whole } from "../value/Value.ts"
import { fromLocal, offsetAt } from "../value/zones.ts"
import { at, type Evaluated, type IntervalUnit, type MemoryFunction, strict } from "./Evaluated.ts"

const secondsOf: Partial<Record<IntervalUnit, bigint>> = {
  Second: 1n,
  Minute: 60n,
  Hour: 3600n,
  Day: 86_400n,
  Week: 604_800n
}
const monthsOf: Partial<Record<IntervalUnit, bigint>> = { Month: 1n, Quarter: 3n, Year: 12n }

/** `toIntervalX`. */
const interval =
  (unit: IntervalUnit): MemoryFunction =>
  (args, name) => {
    const [count] = args
    if (count === undefined || !isInteger(count.type)) return refuse(`${name} wants a whole number`)
    return { ...count, type: { ...plain(`Interval${unit}`), isNullable: count.type.isNullable }, unit }
  }

/** A time or date that an interval is added to. Days of a time are days of the clocks of its zone. */
export const addInterval = (time: Evaluated, by: Evaluated, unit: IntervalUnit, sign: bigint): Evaluated => {
  const seconds = secondsOf[unit]
  const { type } = time
  if (seconds === undefined) return notInMemory(`an interval of ${unit.toLowerCase()}s that is added`)
  const isDays = seconds >= 86_400n
  if (type.name === "Date") {
    if (!isDays) return notInMemory("a date to which hours, minutes or seconds are added")
    return strict(
      [time, by],
      notNullable(type),
      (a = null, b = null) => whole(a) + sign * whole(b) * (seconds / 86_400n)
    )
  }
  const scale = powerOf10(type.scale ?? 0)
  return strict([time, by], notNullable(type), (a = null, b = null) => {
    const added = sign * whole(b) * seconds
    if (!isDays) return whole(a) + added * scale
    const from = floorDivide(whole(a), scale)
    const moved = fromLocal(type.zone, from + offsetAt(type.zone, from) + added)
    return moved * scale + (whole(a) - from * scale)
  })
}

const floorTo = (value: bigint, step: bigint): bigint => floorDivide(value, step) * step

/** The day at which a period of days, weeks, months, quarters or years begins, in days since 1970. */
const startDay = (day: bigint, unit: IntervalUnit, count: bigint): bigint => {
  if (unit === "Day") return floorTo(day, count)
  // 1970-01-05 was a Monday.
  if (unit === "Week") return floorTo(day - 4n, 7n * count) + 4n
  const date = new Date(Number(day) * 86_400_000)
  const months = count * (monthsOf[unit] ?? 1n)
  const month = floorTo(BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth()), months)
  return BigInt(Date.UTC(Number(month / 12n), Number(month % 12n), 1) / 86_400_000)
}

/** Hours begin with the days of the zone; if its clocks changed since midnight, by what they show. */
const startHour = (seconds: bigint, zone: string | undefined, count: bigint): bigint => {
  const local = seconds + offsetAt(zone, seconds)
  const step = count * 3600n
  const midnight = floorTo(local, 86_400n)
  const start = midnight + floorTo(local - midnight, step)
  // Of two hours that the clocks show alike, a single one keeps its own.
  if (count === 1n) return start - offsetAt(zone, seconds)
  return fromLocal(zone, start)
}

const startOfTime = (seconds: bigint, unit: IntervalUnit, count: bigint, zone: string | undefined): bigint => {
  if (unit === "Second") return floorTo(seconds, count)
  if (unit === "Minute") return floorTo(seconds, count * 60n)
  if (unit === "Hour") return startHour(seconds, zone, count)
  const day = floorDivide(seconds + offsetAt(zone, seconds), 86_400n)
  return fromLocal(zone, startDay(day, unit, count) * 86_400n)
}

const isLong = (unit: IntervalUnit): boolean => unit === "Week" || monthsOf[unit] !== undefined

/** The beginning of the period in which a time is. Weeks and longer periods give dates. */
const startOfInterval = (time: Evaluated, unit: IntervalUnit, count: bigint, zone: string | undefined): Evaluated => {
  const { type } = time
  if (count <= 0n) return refuse("toStartOfInterval wants an interval above 0")
  if (type.name === "Nothing") return strict([time], type, () => null)
  if (type.name === "Date") {
    if (isLong(unit)) return strict([time], plain("Date"), (a = null) => startDay(whole(a), unit, count))
    if (unit !== "Day") return refuse("toStartOfInterval of a date wants days or more")
    return strict([time], dateTime(zone), (a = null) => fromLocal(zone, startDay(whole(a), unit, count) * 86_400n))
  }
  if (!isTime(type)) return refuse(`toStartOfInterval does not take values of the type ${typeText(type)}`)
  if (unit === "Millisecond") return startOfMillis(time, count, zone)
  const scale = powerOf10(type.scale ?? 0)
  return strict([time], isLong(unit) ? plain("Date") : dateTime(zone), (a = null) => {
    const seconds = floorDivide(whole(a), scale)
    if (!isLong(unit)) return startOfTime(seconds, unit, count, zone)
    return startDay(floorDivide(seconds + offsetAt(zone, seconds), 86_400n), unit, count)
  })
}

const startOfMillis = (time: Evaluated, count: bigint, zone: string | undefined): Evaluated => {
  const scale = Math.max(time.type.scale ?? 0, 3)
  const up = powerOf10(scale - (time.type.scale ?? 0))
  return strict([time], dateTime64(scale, zone), (a = null) => floorTo(whole(a) * up, count * powerOf10(scale - 3)))
}

/** The zone that is named, else that of the time. */
export const zoneFrom = (named: Evaluated | undefined, type: DataType): string | undefined =>
  named === undefined ? type.zone : textOf(named.constant?.value ?? refuse("a time zone must be a text"))

const toStartOfInterval: MemoryFunction = (args) => {
  const [time, step] = [at(args, 0), at(args, 1)]
  if (step.unit === undefined) return refuse("toStartOfInterval wants an interval")
  return startOfInterval(time, step.unit, whole(step.of([])), zoneFrom(args[2], time.type))
}

const startOf =
  (unit: IntervalUnit, count = 1n): MemoryFunction =>
  (args) =>
    startOfInterval(at(args, 0), unit, count, zoneFrom(args[1], at(args, 0).type))

/** Intervals, and the beginnings of periods. */
export const intervals: Readonly<Record<string, MemoryFunction>> = {
  toIntervalMillisecond: interval("Millisecond"),
  toIntervalSecond: interval("Second"),
  toIntervalMinute: interval("Minute"),
  toIntervalHour: interval("Hour"),
  toIntervalDay: interval("Day"),
  toIntervalWeek: interval("Week"),
  toIntervalMonth: interval("Month"),
  toIntervalQuarter: interval("Quarter"),
  toIntervalYear: interval("Year"),
  toStartOfInterval,
  toStartOfMinute: startOf("Minute"),
  toStartOfFiveMinutes: startOf("Minute", 5n),
  toStartOfHour: startOf("Hour"),
  toStartOfDay: startOf("Day")
}
