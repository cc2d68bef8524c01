import * as Predicate from "effect/Predicate"
import type { NumberFormat } from "../dashboard/config/chartParts.ts"
import { type NumericUnit, numericUnits, scaledBytes } from "./numericUnits.ts"

type Format = typeof NumberFormat.Type

const absent = "N/A"

/** The most decimal places: a number has no more digits that say something. */
const mostPlaces = 20

const withMantissa = ({ mantissa, ...format }: Format): Format =>
  mantissa === undefined ? format : { ...format, mantissa: Math.min(Math.max(mantissa, 0), mostPlaces) }
const percent = 100
const secondsOfMinute = 60
const secondsOfHour = 3600

/** What a number is written with: a format, and the locale of its separators. */
interface Style {
  readonly format: Format
  readonly locale: Locale
}

type Locale = string | ReadonlyArray<string>

const written = (value: number | bigint, mantissa: number, isGrouped: boolean, locale: Locale): string =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: mantissa,
    maximumFractionDigits: mantissa,
    useGrouping: isGrouped,
    signDisplay: "negative"
  }).format(value)

const shortened = [
  [1e12, "t"],
  [1e9, "b"],
  [1e6, "m"],
  [1e3, "k"]
] as const

const plain = (value: number | bigint, { format, locale }: Style): string => {
  const { average = false, mantissa = 0, thousandSeparated = false } = format
  const size = Math.abs(Number(value))
  const [length, suffix] = (average ? shortened.find(([least]) => size >= least) : undefined) ?? [1, ""]
  const short = length === 1 ? value : Number(value) / length
  return `${written(short, mantissa, thousandSeparated, locale)}${suffix}`
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** Hours, minutes and seconds. */
const clock = (seconds: number): string => {
  const whole = Math.round(Math.abs(seconds))
  const hours = Math.floor(whole / secondsOfHour)
  const minutes = Math.floor((whole % secondsOfHour) / secondsOfMinute)
  const sign = seconds < 0 && whole > 0 ? "-" : ""
  return `${sign}${hours}:${twoDigits(minutes)}:${twoDigits(whole % secondsOfMinute)}`
}

const durations = [
  [secondsOfHour, "h"],
  [secondsOfMinute, "min"],
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"]
] as const

/** Seconds in the unit that suits them. */
const duration = (seconds: number, mantissa: number | undefined, locale: Locale): string => {
  if (seconds === 0) return "0s"
  const size = Math.abs(seconds)
  const [length, unit] = durations.find(([least]) => size >= least) ?? ([1e-9, "ns"] as const)
  const digits = { minimumFractionDigits: mantissa ?? 0, maximumFractionDigits: mantissa ?? 2 }
  return `${new Intl.NumberFormat(locale, digits).format(seconds / length)}${unit}`
}

const isWhole = /^[+-]?\d+$/

/** A value as a number. Whole numbers beyond 2^53 keep all their digits. */
const numberOf = (value: number | bigint | string): number | bigint => {
  if (!Predicate.isString(value)) return value
  if (!isWhole.test(value)) return value.trim() === "" ? Number.NaN : Number(value)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

const scaled = (value: number | bigint, factor: number): number | bigint => {
  if (Predicate.isNumber(value)) return value * factor
  return Number.isSafeInteger(factor) ? value * BigInt(factor) : Number(value) * factor
}

const inUnit = (value: number, { format, locale }: Style): string | undefined => {
  const { decimalBytes = false, mantissa, numericUnit, output } = format
  const unit: NumericUnit | undefined = numericUnit === undefined ? undefined : numericUnits.get(numericUnit)
  if (unit?.scale === undefined && output !== "byte") {
    return unit === undefined ? undefined : `${written(value, mantissa ?? 0, true, locale)} ${unit.symbol}`
  }
  const { base, scale, symbol } = unit?.scale === undefined ? byteUnit(decimalBytes) : { ...unit, scale: unit.scale }
  return scaledBytes(value * scale, base, symbol, (short) => written(short, mantissa ?? 0, false, locale))
}

const byteUnit = (isDecimal: boolean) => ({ scale: 1, base: isDecimal ? 1000 : 1024, symbol: "B" })

const withOutput = (value: number | bigint, style: Style): string => {
  const { currencySymbol = "$", factor = 1, mantissa, output } = style.format
  switch (output) {
    case "percent":
      return `${plain(scaled(scaled(value, factor), percent), style)}%`
    case "currency": {
      const amount = plain(scaled(value, factor), style)
      return /^[-\u2212]/.test(amount)
        ? `${amount[0]}${currencySymbol}${amount.slice(1)}`
        : `${currencySymbol}${amount}`
    }
    case "time":
      return clock(Number(value) * factor)
    case "duration":
      return duration(Number(value) * factor, mantissa, style.locale)
    case "byte":
    case "data_rate":
    case "throughput":
      return inUnit(Number(value) * factor, style) ?? plain(scaled(value, factor), style)
    default:
      return plain(scaled(value, factor), style)
  }
}

/**
 * Writes a number of a chart as its format says: without one, with thousands separated and at most 3 decimal places. Whole numbers
 * beyond 2^53 are given as texts or `bigint`, and keep all their digits. `locale` is that of the separators, `en-US` by default. `null`, `NaN`, infinite and absent numbers are `N/A`, and a
 * text that is no number stays as it is.
 *
 * @example
 * ```ts
 * import { formatNumber } from "@headgate/core/adapter"
 *
 * console.log(formatNumber(1204.5)) // 1,204.5
 * console.log(formatNumber("18446744073709551615")) // 18,446,744,073,709,551,615
 * console.log(formatNumber(0.254, { output: "percent", mantissa: 1 })) // 25.4%
 * console.log(formatNumber(null)) // N/A
 * console.log(formatNumber(1234.5, undefined, "de")) // 1.234,5
 * ```
 */
export const formatNumber = (
  value: number | bigint | string | null | undefined,
  given?: Format,
  locale: string | ReadonlyArray<string> = "en-US"
): string => {
  const format = given && withMantissa(given)
  if (value === null || value === undefined) return absent
  const number = numberOf(value)
  if (Predicate.isNumber(number) && !Number.isFinite(number)) return Predicate.isString(value) ? value : absent
  if (format === undefined)
    return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, signDisplay: "negative" }).format(number)
  const text = withOutput(number, { format, locale })
  return format.unit === undefined || format.unit === "" ? text : `${text} ${format.unit}`
}
