import { columns, escapeTerminalLine } from "@headgate/command-line"
import { type Layout, plainLine } from "./Layout.ts"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

/** A field that the domain does not name has no type that marks it as a secret: its name decides. */
export const looksSensitive = /secret|password|token|credential|private_?key|access_?key|connection_?string/i

/** {@link masked} of any value. */
export const maskedValue = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return "<redacted>"
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value).replace(".000Z", "Z")
  if (Array.isArray(value)) return value.map(maskedValue)
  return Predicate.isObject(value) ? masked(value) : value
}

/** A domain record as plain data in which every secret is `<redacted>` and every time is text. `--json` does not mask. */
export const masked = (record: object): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      looksSensitive.test(name) && Predicate.isNotNullish(value) ? "<redacted>" : maskedValue(value)
    ])
  )

const scalarText = (value: unknown): string => {
  if (!Predicate.isString(value)) return JSON.stringify(value)
  const lines = value.trimEnd().split("\n")
  return escapeTerminalLine(lines.length > 2 ? `${lines[0]} ... (${lines.length} lines)` : value)
}

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const isRows = (value: unknown): value is ReadonlyArray<object> =>
  isList(value) && value.length > 0 && value.every(Predicate.isObject)

/** A number with its thousands apart; nothing if it is not known. */
export const countText = (value: number | null | undefined): string => value?.toLocaleString("en-US") ?? ""

/** A value of plain data on one line. */
export const cellText = (value: unknown): string =>
  value === undefined
    ? ""
    : isList(value) && value.length > 0 && !isRows(value)
      ? value.map(scalarText).join(", ")
      : scalarText(value)

const rowLines = (rows: ReadonlyArray<object>): ReadonlyArray<string> => {
  const names = Array.from(new Set(rows.flatMap((row) => Object.keys(row))))
  const cells = rows.map((row) => {
    const fields = new Map<string, unknown>(Object.entries(row))
    return names.map((name) => cellText(fields.get(name)))
  })
  return columns([names.map(escapeTerminalLine), ...cells])
}

// The lines of a value that does not fit beside its name; undefined if it fits.
const block = (value: unknown): ReadonlyArray<string> | undefined => {
  if (isRows(value)) return rowLines(value)
  return Predicate.isObject(value) && Object.keys(value).length > 0 ? detailLines(value) : undefined
}

const detailLines = (record: object): ReadonlyArray<string> => {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name: escapeTerminalLine(name), value, block: block(value) }))
  const heads = columns(fields.map((field) => [field.name, field.block === undefined ? cellText(field.value) : ""]))
  return fields.flatMap((field, index) => [heads[index] ?? "", ...(field.block ?? []).map((line) => `  ${line}`)])
}

// A line for each value, named by its path. Rows are counted from 1.
const plainLines = (path: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
  const members = isRows(value)
    ? value.map((row, index) => [String(index + 1), row] as const)
    : Predicate.isObject(value) && !isList(value)
      ? Object.entries(value)
      : []
  if (members.length === 0) return [plainLine(escapeTerminalLine(path.join(".")), cellText(value))]
  return members.flatMap(([name, member]) => (member === undefined ? [] : plainLines([...path, name], member)))
}

/**
 * Plain data as text, one field per line with its name in the JSON: simple values beside their names, records and lists
 * of records indented below. Absent fields are left out. In a plain layout each value is a line with its path.
 */
export const detailText = (record: object, { isPlain }: Layout): string =>
  (isPlain ? plainLines([], record) : detailLines(record)).join("\n")
