import type { ObjectReference } from "@headgate/mover"
import { type ColumnType, holdsNull, parseType, withoutNull } from "../row/ColumnType.ts"
import { textJson, unescape } from "./textJson.ts"
import type { ReadColumn } from "./wideColumn.ts"

/** A value of a row of CSV or TSV. Its text has a byte in each character. */
type Field = string | null

/** The values of a row. `endsBlank`: its last one is nothing but blanks, and has no quotes. */
type Fields = { readonly fields: ReadonlyArray<Field>; readonly endsBlank: boolean } | { readonly reason: string }

/** The place of the quote that ends the text which begins at `at`; -1 if there is none. Two quotes are one of the text. */
const endOfQuoted = (row: string, at: number): number => {
  let end = row.indexOf('"', at + 1)
  while (end >= 0 && row[end + 1] === '"') end = row.indexOf('"', end + 2)
  return end
}

/** The place of the first character from `at` on that is no blank, or is the delimiter. */
const skipBlanks = (row: string, at: number, delimiter: string): number => {
  let next = at
  while (row[next] !== delimiter && (row[next] === " " || row[next] === "\t")) next += 1
  return next
}

const csvFields = (row: string, delimiter: string): Fields => {
  const fields: Array<Field> = []
  for (let at = 0; ;) {
    let [end, endsBlank] = [0, false]
    if (row[at] === '"') {
      end = endOfQuoted(row, at)
      if (end < 0) return { reason: "its last value has no end" }
      fields.push(row.slice(at + 1, end).replaceAll('""', '"'))
      end = skipBlanks(row, end + 1, delimiter)
      if (end < row.length && row[end] !== delimiter)
        return { reason: `value ${fields.length} goes on after its quotes` }
      if (end === row.length) end = -1
    } else {
      end = row.indexOf(delimiter, at)
      const text = end < 0 ? row.slice(at) : row.slice(at, end)
      endsBlank = end < 0 && /^[ \t]*$/.test(text)
      fields.push(text === String.raw`\N` ? null : text)
    }
    if (end < 0) return { fields, endsBlank }
    at = end + 1
  }
}

/** What is wrong with a text that cannot be read. One more letter is the end of an escape that lacks one, and no hex digit. */
const wrongEscape = (text: string): string =>
  unescape(`${text}n`) === undefined ? String.raw`has \x without two hex digits after it` : "ends within an escape"

const tsvFields = (row: string): Fields => {
  const fields: Array<Field> = []
  for (const text of row.split("\t")) {
    const read = text === String.raw`\N` ? null : unescape(text)
    if (read === undefined) return { reason: `value ${fields.length + 1} ${wrongEscape(text)}` }
    fields.push(read)
  }
  return { fields, endsBlank: false }
}

const fieldsOf = ({ delimiter = ",", format }: ObjectReference, content: Uint8Array): Fields => {
  const row = Buffer.from(content).toString("latin1")
  return format.startsWith("CSV") ? csvFields(row, delimiter) : tsvFields(row)
}

/** The names that a header has. */
export const namesOf = (object: ObjectReference, content: Uint8Array): ReadonlyArray<string> => {
  const found = fieldsOf(object, content)
  return "reason" in found ? [] : found.fields.map((name) => Buffer.from(name ?? "", "latin1").toString())
}

/** Whether an empty text is a value of a type. */
const holdsEmpty = (typeOfColumn: ColumnType): boolean => {
  const type = withoutNull(typeOfColumn)
  return type._tag === "Leaf" ? type.name.endsWith("String") : type._tag === "Array" || type._tag === "Map"
}

/**
 * Makes rows of JSON from rows of CSV or TSV, for the columns that are read, with the checks of rows of messages. `names`: the fields that the object has,
 * if it names them.
 */
export const jsonOfFields = (
  object: ObjectReference,
  columns: ReadonlyArray<ReadColumn>,
  names: ReadonlyArray<string> | undefined
) => {
  const isCsv = object.format.startsWith("CSV")
  const count = names?.length ?? columns.length
  const read = columns.flatMap((column, index) => {
    const place = names === undefined ? index : names.indexOf(column.field)
    const key = Buffer.from(JSON.stringify(column.field)).toString("latin1")
    const type = parseType(column.type)
    const isNullIfEmpty = isCsv && (column.hasDefault || holdsNull(type)) && !holdsEmpty(type)
    return place < 0 ? [] : [{ column, key, place, type, isNullIfEmpty }]
  })
  return (content: Uint8Array): { readonly json: Uint8Array } | { readonly reason: string } => {
    const found = fieldsOf(object, content)
    if ("reason" in found) return found
    const { endsBlank, fields } = found
    // The engine reads a delimiter at the end of a line of CSV, too, and blanks after it.
    const hasEnd = fields.length === count + 1 && endsBlank
    if (fields.length !== count && !hasEnd) return { reason: `it has ${fields.length} values, and not ${count}` }
    const values: Array<string> = []
    for (const { column, isNullIfEmpty, key, place, type } of read) {
      const text = fields[place] ?? null
      const isNull = text === null || (text === "" && isNullIfEmpty)
      if (text === "" && !isNull && !holdsEmpty(type)) return { reason: `column ${column.name}: its value is empty` }
      const json = isNull ? "null" : textJson(text, type)
      if (json === undefined) return { reason: `column ${column.name}: it is no ${column.type}` }
      values.push(`${key}:${json}`)
    }
    return { json: Buffer.from(`{${values.join(",")}}`, "latin1") }
  }
}
