import * as Predicate from "effect/Predicate"
import { harmlessLine } from "./harmless.ts"
import { columns } from "./columns.ts"

const scalarText = (value: unknown): string => {
  if (!Predicate.isString(value)) return JSON.stringify(value)
  const lines = value.trimEnd().split("\n")
  return harmlessLine(lines.length > 2 ? `${lines[0]} ... (${lines.length} lines)` : value)
}

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const isRows = (value: unknown): value is ReadonlyArray<object> =>
  isList(value) && value.length > 0 && value.every(Predicate.isObject)

const cellText = (value: unknown): string =>
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
  return columns([names.map(harmlessLine), ...cells])
}

// What does not fit beside its name; undefined when it does.
const block = (value: unknown): ReadonlyArray<string> | undefined => {
  if (isRows(value)) return rowLines(value)
  return Predicate.isObject(value) && Object.keys(value).length > 0 ? detailLines(value) : undefined
}

/**
 * Plain data for a reader, a field a line under its name in the JSON: simple values beside their names, records and
 * lists of records indented below theirs. Absent fields are left out.
 */
const detailLines = (record: object): ReadonlyArray<string> => {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name: harmlessLine(name), value, block: block(value) }))
  const heads = columns(fields.map((field) => [field.name, field.block === undefined ? cellText(field.value) : ""]))
  return fields.flatMap((field, index) => [heads[index] ?? "", ...(field.block ?? []).map((line) => `  ${line}`)])
}

/** {@link detailLines} as one text. */
export const detailText = (record: object): string => detailLines(record).join("\n")
