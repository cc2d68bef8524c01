import { isNone, type PlainColumn, type Value } from "./model.ts"

const isNumber = (text: string): boolean => /^[+-]?\d+(\.\d+)?$/.test(text)

// What a spreadsheet takes for a formula: one of these at the beginning of a cell. A pasted text is divided at tabs and lines, also within
// quotes, and a file at semicolons where the language writes 1,5.
const formula = /^(?=[=+\-@\t\r])|(?<=[\t\n\r;])(?=[=+\-@])/g

const guarded = (text: string): string => (isNumber(text) ? text : text.replace(formula, "'"))

const cell = (value: Value): string => {
  if (isNone(value)) return ""
  const text = typeof value === "string" ? guarded(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Rows as CSV with a line of titles, as RFC 4180 has it: numbers plain, nothing where there is no value, and a `'` before a text that a
 * spreadsheet would take for a formula.
 */
export const csvOf = <Row>(columns: ReadonlyArray<PlainColumn<Row>>, rows: ReadonlyArray<Row>): string =>
  [columns.map(({ title }) => cell(title)), ...rows.map((row) => columns.map(({ value }) => cell(value(row))))]
    .map((cells) => `${cells.join(",")}\r\n`)
    .join("")
