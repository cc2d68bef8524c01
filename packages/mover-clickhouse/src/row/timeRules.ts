import { quoteString } from "@headgate/clickhouse"
import type { LeafType } from "./ColumnType.ts"
import { isNot, type LeafRule, matches, outOfRange, roundTrips, type Spelling } from "./LeafRule.ts"
import { areDigits, digitsBelow } from "./numberRules.ts"
import { existsIn, instantIn } from "./zones.ts"

const [dash, slash, colon, dot, space, capitalT, capitalZ] = [0x2d, 0x2f, 0x3a, 0x2e, 0x20, 0x54, 0x5a]

const noSuchDay = "there is no such day"
const noSuchTime = "there is no such time of day"

const two = (row: Uint8Array, at: number): number => ((row[at] ?? 0) - 0x30) * 10 + (row[at + 1] ?? 0) - 0x30

const dayOf = (year: number, month: number, day: number): number | undefined => {
  const found = new Date(Date.UTC(2000, month - 1, day))
  found.setUTCFullYear(year, month - 1, day)
  return month >= 1 && month <= 12 && found.getUTCMonth() === month - 1 && found.getUTCDate() === day
    ? found.getTime() / 86_400_000
    : undefined
}

/** Whether ten bytes are a day such as 2026-01-31 that exists in each month, of a year between two. */
const isPlainDay = (row: Uint8Array, from: number, firstYear: number, lastYear: number): boolean => {
  const separator = row[from + 4]
  if (separator !== row[from + 7] || (separator !== dash && separator !== slash)) return false
  if (!areDigits(row, from, from + 4) || !areDigits(row, from + 5, from + 7) || !areDigits(row, from + 8, from + 10)) {
    return false
  }
  const year = two(row, from) * 100 + two(row, from + 2)
  const [month, day] = [two(row, from + 5), two(row, from + 8)]
  return year > firstYear && year < lastYear && month >= 1 && month <= 12 && day >= 1 && day <= 28
}

const dateText = /^(\d{4})(?:[-/.](\d\d?)[-/.](\d\d?)|(\d\d)(\d\d))$/

const usualDay = "((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)"
const usualTime = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"

/** Whether a text that matches begins with a day that exists, as SQL: of February 29 the engine says it. */
const dayExists = (value: string): string =>
  `(substring(${value}, 6, 5) != '02-29' OR ${roundTrips(`substring(${value}, 1, 10)`, `toDate32OrNull(substring(${value}, 1, 10))`)})`

/** The days of a type, from 1970-01-01. The engine would write the first or the last one for others. */
interface Days {
  readonly first: number
  readonly last: number
  /** Years all of whose days the type holds, as a pattern: whole decades. */
  readonly years: string
}

/** The engine would write another day for one that does not exist. A number counts the days from 1970-01-01. */
export const date =
  ({ first, last, years }: Days) =>
  ({ text: type }: LeafType): LeafRule => {
    const [firstYear, lastYear] = [first, last].map((day) => new Date(day * 86_400_000).getUTCFullYear())
    const isIn = (day: number) => (day >= first && day <= last ? undefined : outOfRange(type))
    return {
      isHarmless: (row, from, to, spelling) =>
        spelling === "text" && to - from === 10 && isPlainDay(row, from, firstYear ?? 0, lastYear ?? 0),
      check: (text, spelling) => {
        if (spelling === "number") return /^-?\d{1,20}$/.test(text) ? isIn(Number(text)) : isNot(type)
        const [found, year, month, day, plainMonth, plainDay] = dateText.exec(text) ?? []
        if (spelling !== "text" || found === undefined) return isNot(type)
        const number = dayOf(Number(year), Number(month ?? plainMonth), Number(day ?? plainDay))
        return number === undefined ? noSuchDay : isIn(number)
      },
      exactText: (value) => `(${matches(value, `(${years})-${usualDay}`)} AND ${dayExists(value)})`
    }
  }

const fraction = String.raw`(?:\.(\d{1,19}))?`
const zone = String.raw` ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?`
// The spellings of a time that are read: of ISO 8601, of RFC 2822, and seconds since 1970. The engine guesses the meaning of many others,
// and makes another day of one with two separators (2000/11-07).
const spellings = [
  new RegExp(
    String.raw`^(?=\d{4}(?:-\d\d?-|/\d\d?/))(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d?):(\d\d?)(?::(\d\d?)${fraction})?)?${zone}$`
  ),
  new RegExp(String.raw`^(\d{4})(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d)${fraction})?${zone}$`)
]
const mailTime = new RegExp(
  String.raw`^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d\d?) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d)(?::(\d\d))?${zone}$`
)
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
// Seconds since 1970, with a fraction behind a point, or as milliseconds and smaller units.
const unixSeconds = /^(\d{9,10})(?:\.(\d{1,19}))?$/
const unixUnits = /^(\d{10})(\d{3}|\d{6}|\d{9})$/

/** A time as a text spells it: its day and time of day, and where a zone stands, that. */
type Parts = readonly [
  year: string,
  month: string,
  day: string,
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  fraction: string | undefined,
  zone: string | undefined
]

const partsOf = (text: string): Parts | undefined => {
  for (const spelling of spellings) {
    const [found, year = "", month = "", day = "", ...rest] = spelling.exec(text) ?? []
    if (found !== undefined) return [year, month, day, rest[0], rest[1], rest[2], rest[3], rest[4]]
  }
  const [found, day = "", month = "", year = "", hour, minute, second, zone] = mailTime.exec(text) ?? []
  if (found === undefined) return undefined
  return [year, String(months.indexOf(month) + 1), day, hour, minute, second, undefined, zone]
}

/** How many seconds a zone is ahead of UTC; `undefined` if there is none. */
const offsetOf = (zone: string | undefined): number | undefined => {
  if (zone === undefined || !/^[+-]/.test(zone)) return zone === undefined ? undefined : 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(":", "") || "0")]
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/** What a type of times can hold, in seconds since 1970, and how many digits of a second. */
interface Times {
  readonly first: number
  readonly last: number
  readonly scale: number
  /** The zone in which a text without one is read. */
  readonly zone: string | undefined
  /** Years all of whose times the type holds, as a pattern: whole decades. */
  readonly years: string
  /** Whether it counts nanoseconds in 64 bits, which end within the last second. */
  readonly endsInNanoseconds: boolean
}

const lastNanoseconds = 854_775_807

const timesOf = ({ name, parameters }: LeafType): Times => {
  const zoneAt = name === "DateTime64" ? 1 : 0
  const zone = parameters[zoneAt]?.replaceAll("'", "")
  if (name !== "DateTime64") {
    return {
      first: 0,
      last: 4_294_967_295,
      scale: 0,
      zone,
      years: "19[89][0-9]|20[0-9][0-9]",
      endsInNanoseconds: false
    }
  }
  const scale = Number(parameters[0] ?? 3)
  const last = scale === 9 ? 9_223_372_036 : 10_413_791_999
  const years = `19[1-9][0-9]|20[0-9][0-9]|21[0-9][0-9]|22[0-5][0-9]`
  return { first: -2_208_988_800, last, scale, zone, years, endsInNanoseconds: scale === 9 }
}

/** The seconds since 1970 at which a text's time of day is in UTC, or why there is no such time. */
const secondOf = ([year, month, day, hour = "0", minute = "0", second = "0"]: Parts): number | string => {
  const number = dayOf(Number(year), Number(month), Number(day))
  if (number === undefined) return noSuchDay
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  return isTime ? number * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) : noSuchTime
}

/** Whether a row has the separators of 2026-01-31 10:00:00 behind its day. */
const isSeparated = (row: Uint8Array, from: number): boolean => {
  const between = row[from + 10]
  return (between === space || between === capitalT) && row[from + 13] === colon && row[from + 16] === colon
}

/** Whether a row has two digits of a number up to `last`. */
const isTwoUpTo = (row: Uint8Array, at: number, last: number): boolean =>
  areDigits(row, at, at + 2) && two(row, at) <= last

const isPlainTime = (row: Uint8Array, at: number): boolean =>
  isTwoUpTo(row, at, 23) && isTwoUpTo(row, at + 3, 59) && isTwoUpTo(row, at + 6, 59)

/** A number counts the smallest units of the type since 1970. */
const isInUnits = ({ endsInNanoseconds, first, last, scale }: Times, text: string): boolean => {
  if (!/^-?\d{1,20}$/.test(text)) return false
  const unit = 10n ** BigInt(scale)
  const largest = endsInNanoseconds ? 2n ** 63n - 1n : BigInt(last + 1) * unit - 1n
  return BigInt(text) >= BigInt(first) * unit && BigInt(text) <= largest
}

/** The engine would write another time for one that does not exist or has more digits, and the first or the last for one beyond. */
export const dateTime = (leaf: LeafType): LeafRule => {
  const { text: type } = leaf
  const times = timesOf(leaf)
  const { endsInNanoseconds, first, last, scale } = times
  const [firstYear, lastYear] = [first, last].map((second) => new Date(second * 1000).getUTCFullYear())
  const tooFine = `it has more than ${scale} digits of a second, which ${type} cannot hold`
  const { zone = "UTC" } = times
  const isFixed = zone === "UTC"

  const checkInstant = (second: number, digits: string) => {
    if (second < first || second > last) return outOfRange(type)
    const isBeyond = endsInNanoseconds && second === last && Number(digits.padEnd(9, "0").slice(0, 9)) > lastNanoseconds
    if (isBeyond) return outOfRange(type)
    return /^0*$/.test(digits.slice(scale)) ? undefined : tooFine
  }

  /** Checks a time of the column's zone. */
  const checkLocal = (local: number, digits: string) => {
    if (isFixed) return checkInstant(local, digits)
    return existsIn(zone, local) ? checkInstant(instantIn(zone, local), digits) : `${noSuchTime} in ${zone}`
  }

  const checkText = (text: string) => {
    const [unix, seconds = "", part = ""] = unixSeconds.exec(text) ?? unixUnits.exec(text) ?? []
    if (unix !== undefined && (!unix.includes(".") || scale > 0)) return checkInstant(Number(seconds), part)
    const parts = partsOf(text)
    if (parts === undefined) return `it is no time that is read exactly, such as 2026-01-31T10:00:00Z`
    const local = secondOf(parts)
    if (typeof local === "string") return local
    const [digits = "", spelledZone] = parts.slice(6)
    const offset = offsetOf(spelledZone)
    if (Math.abs(offset ?? 0) > 14 * 3600) return noSuchTime
    return offset === undefined ? checkLocal(local, digits) : checkInstant(local - offset, digits)
  }

  const usual = `(${times.years})-${usualDay}[ T]${usualTime}${scale === 0 ? "([.]0+)?" : `([.][0-9]{1,${scale}}0*)?`}`
  const exactText = (value: string) => {
    const anyZone = "(Z|[+-](0[0-9]|1[0-3]):?[0-5][0-9])"
    if (isFixed) return `(${matches(value, `${usual}${anyZone}?`)} AND ${dayExists(value)})`
    // Without a zone, it may be a time that the clocks of the column's zone pass over.
    const read = `parseDateTimeBestEffortOrNull(substring(${value}, 1, 19), ${quoteString(zone)})`
    const exists = roundTrips(value, read, `replaceOne(substring(${value}, 1, 19), 'T', ' ')`)
    return `((${matches(value, `${usual}${anyZone}`)} OR (${matches(value, usual)} AND ${exists})) AND ${dayExists(value)})`
  }

  /** 2026-01-31 10:00:00, with a fraction that the type holds and with Z. */
  const isPlain = (row: Uint8Array, from: number, to: number): boolean => {
    if (to - from < 19 || !isPlainDay(row, from, firstYear ?? 0, lastYear ?? 0)) return false
    if (!isSeparated(row, from) || !isPlainTime(row, from + 11)) return false
    const hasZone = row[to - 1] === capitalZ
    if (!hasZone && !isFixed) return false
    const end = hasZone ? to - 1 : to
    if (end === from + 19) return true
    return row[from + 19] === dot && end - from - 20 <= scale && areDigits(row, from + 20, end)
  }

  const isBelow = digitsBelow(BigInt(last) * 10n ** BigInt(scale))
  return {
    isHarmless: (row, from, to, spelling: Spelling) =>
      spelling === "text" ? isPlain(row, from, to) : spelling === "number" && isBelow(row, from, to),
    check: (text, spelling) => {
      if (spelling === "text") return checkText(text)
      if (spelling === "boolean" || !/^-?\d+$/.test(text)) return isNot(type)
      return isInUnits(times, text) ? undefined : outOfRange(type)
    },
    // Seconds since 1970 are the same as a number and as a text.
    exactText: (value) =>
      leaf.name === "DateTime"
        ? `(${exactText(value)} OR ${matches(value, "([1-9][0-9]{8}|[1-3][0-9]{9})")})`
        : exactText(value)
  }
}
