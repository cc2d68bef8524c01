import { type DataType } from "./DataType.ts"
import { floorDivide, powerOf10 } from "./Value.ts"
import { fromLocal, offsetAt } from "./zones.ts"

/** The text of a date: days since 1970. */
export const dateText = (days: bigint): string => new Date(Number(days) * 86_400_000).toISOString().slice(0, 10)

const clockText = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 19)

const partsOf = (type: DataType, value: bigint) => {
  const scale = type.scale ?? 0
  const seconds = floorDivide(value, powerOf10(scale))
  const fraction = String(value - seconds * powerOf10(scale)).padStart(scale, "0")
  return { seconds, fraction: scale === 0 ? "" : `.${fraction}` }
}

/** `2026-11-23T10:00:00.123Z`. */
export const isoText = (type: DataType, value: bigint): string => {
  const { fraction, seconds } = partsOf(type, value)
  return `${clockText(seconds)}${fraction}Z`
}

/** `2026-11-23 11:00:00.123`, as the clocks of its zone show it. */
export const localText = (type: DataType, value: bigint): string => {
  const { fraction, seconds } = partsOf(type, value)
  return `${clockText(seconds + offsetAt(type.zone, seconds)).replace("T", " ")}${fraction}`
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z)?)?$/

/**
 * The time of a text, in units of 10 to the power of -`scale` seconds since 1970; `undefined` for what is no time. Without `Z` it is
 * what the clocks of the zone show.
 */
export const parseTime = (written: string, scale: number, zone: string | undefined): bigint | undefined => {
  const found = pattern.exec(written)
  if (found === null) return undefined
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", utc] = found
  const local = BigInt(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000
  )
  const seconds = utc === undefined ? fromLocal(zone, local) : local
  return seconds * powerOf10(scale) + BigInt(fraction.padEnd(scale, "0").slice(0, scale) || "0")
}

/** The days since 1970 of a text, whose time of day is left out; `undefined` for what is no date. */
export const parseDate = (written: string): bigint | undefined => {
  const seconds = parseTime(written, 0, undefined)
  return seconds === undefined ? undefined : floorDivide(seconds, 86_400n)
}
