import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** The milliseconds of a day of 24 hours. */
export const dayMillis = 86_400_000

/** A time zone by its IANA name. */
export interface Zone {
  readonly name: string
  /** The day of an instant, in days since 1970-01-01 of the zone. */
  readonly dayOf: (millis: number) => number
  /** The first instant of a day. */
  readonly startOfDay: (day: number) => number
}

/** Days that all have 24 hours. */
export const utc: Zone = {
  name: "UTC",
  dayOf: (millis) => Math.floor(millis / dayMillis),
  startOfDay: (day) => day * dayMillis
}

// No offset, such as +01:00. Which names there are, the list of zones says. A stricter pattern can take longer than the process lives.
const named = /^[A-Za-z][\w/+-]*$/

/**
 * How far the clocks of a time zone are ahead of UTC at an instant, as the list of zones of the runtime has it. Both are in milliseconds.
 * About 10 us an instant; making it costs more. Throws a `RangeError` if there is no such zone.
 *
 * @example
 * ```ts
 * import { zoneOffsets } from "@headgate/core/adapter"
 *
 * const berlin = zoneOffsets("Europe/Berlin")
 * console.log(berlin(Date.UTC(2026, 0, 1)), berlin(Date.UTC(2026, 6, 1))) // 3600000 7200000
 * ```
 */
export const zoneOffsets = (timeZone: string): ((millis: number) => number) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })
  return (millis) => {
    const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
    return local - Math.floor(millis / 1000) * 1000
  }
}

/** No clocks were changed twice within this time since 1970: the shortest time between two changes is nearly 7 days. */
const block = 4 * dayMillis

/** The same, from few instants: 130 years have 50,000 days, and a chart of those would stop the process for more than a second. */
const offsetsOf = (timeZone: string): ((millis: number) => number) => {
  const exact = zoneOffsets(timeZone)
  const known = new Map<number, number>()
  const atBlock = (index: number): number => {
    const offset = known.get(index) ?? exact(index * block)
    known.set(index, offset)
    return offset
  }
  return (millis) => {
    const index = Math.floor(millis / block)
    if (index < 0) return exact(millis)
    const offset = atBlock(index)
    return offset === atBlock(index + 1) ? offset : exact(millis)
  }
}

const makeZone = (name: string): Zone => {
  const offsetOf = offsetsOf(name)
  const dayOf = (millis: number): number => Math.floor((millis + offsetOf(millis)) / dayMillis)
  const startOfDay = (day: number): number => {
    const midnight = day * dayMillis
    const before = offsetOf(midnight - dayMillis)
    const after = offsetOf(midnight + dayMillis)
    const early = midnight - Math.max(before, after)
    // The clocks are changed near this midnight: the day begins at the first of the two instants that is in it.
    return dayOf(early) < day ? midnight - Math.min(before, after) : early
  }
  return { name, dayOf, startOfDay }
}

/** The time zone of an IANA name; `undefined` if there is none. */
export const zoneOf = (name: string): Zone | undefined => {
  if (name === "UTC") return utc
  const known = named.test(name) ? Option.getOrUndefined(DateTime.zoneMakeNamed(name)) : undefined
  if (known === undefined) return undefined
  // Databases know only the spelling of the list of zones.
  return makeZone(known.id.toLowerCase() === name.toLowerCase() ? known.id : name)
}
