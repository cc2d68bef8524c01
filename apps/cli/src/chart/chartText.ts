import { escapeTerminalLine } from "@headgate/command-line"
import type { ChartData } from "@headgate/core"
import { chartLabel, columnTypeOf, formatNumber } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"

/** A column of the data of a chart. */
export type ChartColumn = ChartData["columns"][number]

// More characters of a value are never shown, and measuring a long text takes time.
const mostCharacters = 400

const oneLine = (text: string): string =>
  escapeTerminalLine(text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text)

/** A value of a group or a row on one line. NULL and the text "NULL" differ, and so do they from an empty text. */
export const labelText = (value: unknown): string => oneLine(chartLabel(value))

/** Whether the values of a column are numbers. */
export const isNumeric = ({ type }: ChartColumn): boolean => columnTypeOf(type).kind === "number"

/** Whether the values of a column are times: milliseconds since 1970. */
export const isTime = ({ role, type }: ChartColumn): boolean => role === "time" || columnTypeOf(type).kind === "time"

const two = (number: number): string => String(number).padStart(2, "0")

const partsOf = (millis: number, zone: DateTime.TimeZone) =>
  DateTime.toParts(DateTime.setZone(DateTime.makeUnsafe(millis), zone))

const dayText = ({ day, month, year }: DateTime.DateTime.PartsWithWeekday): string =>
  `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`

/** A time in a zone, such as `2026-11-23 18:00:00`, with milliseconds if it has some. */
const timeText = (millis: number, zone: DateTime.TimeZone): string => {
  const parts = partsOf(millis, zone)
  const fraction = parts.millisecond === 0 ? "" : `.${String(parts.millisecond).padStart(3, "0")}`
  return `${dayText(parts)} ${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}${fraction}`
}

// The seconds of a shorter range are shown.
const shortRange = 10 * 60 * 1000

/** A range in a zone: `2026-11-23 18:00 - 19:00`. */
export const rangeText = (from: number, to: number, zone: DateTime.TimeZone): string => {
  const [start, end] = [partsOf(from, zone), partsOf(to, zone)]
  const clock = ({ hour, minute, second }: typeof start) =>
    `${two(hour)}:${two(minute)}${to - from < shortRange ? `:${two(second)}` : ""}`
  const last = dayText(end) === dayText(start) ? clock(end) : `${dayText(end)} ${clock(end)}`
  return `${dayText(start)} ${clock(start)} - ${last}`
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1]
] as const

/** A number of seconds in the largest unit of which they are a multiple: `5 minutes`. */
export const periodText = (seconds: number): string => {
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ["second", 1]
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

/** A value of a column on one line. Numbers of rows as they are stay so: they may be ids. */
export const cellText = (
  value: unknown,
  column: ChartColumn,
  { displayType, zone }: { readonly displayType: string; readonly zone: DateTime.TimeZone }
): string => {
  if (isTime(column) && Predicate.isNumber(value)) return timeText(value, zone)
  const isFormatted = column.role === "value" && (displayType !== "search" || column.numberFormat !== undefined)
  return isFormatted && isNumeric(column) ? numberText(value, column) : labelText(value)
}

/** What the number format takes: a number, or the digits of one that is too long for it. */
const numericOf = (value: unknown): number | string | null =>
  Predicate.isNumber(value) || Predicate.isString(value) ? value : null

/** A number of a chart in the format of its column. */
export const numberText = (value: unknown, { numberFormat }: ChartColumn): string =>
  oneLine(formatNumber(numericOf(value), numberFormat))
