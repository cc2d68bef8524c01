import type { FieldMapping } from "@headgate/core"
import { unknownFieldName } from "@headgate/mover"
import * as Predicate from "effect/Predicate"
import { type Column, type ColumnRule, columnRule } from "./columnRule.ts"

// Rows are bytes of JSON, read without decoding them.

/** The bytes that stand between and around the fields of an object. */
const [quote, comma, colon, openObject, closeObject, openArray] = [0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b]

const [tab, newline, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const backslash = 0x5c
const closeArray = 0x5d

/** The place of the first byte from `at` on that is no white space. */
const skipSpace = (row: Buffer, at: number): number => {
  let next = at
  for (
    let byte = row[next];
    byte === space || byte === newline || byte === carriageReturn || byte === tab;
    byte = row[next]
  ) {
    next += 1
  }
  return next
}

/** The place after the quote that ends the text which begins at `at`; the row's length if none does. */
const skipText = (row: Buffer, at: number): number => {
  let next = at + 1
  for (let byte = row[next]; byte !== undefined && byte !== quote; byte = row[next]) next += byte === backslash ? 2 : 1
  return next + 1
}

/** The place after a value: a text, an object, an array, or what ends before a comma, a bracket or white space. */
const skipValue = (row: Buffer, at: number): number => {
  const first = row[at]
  if (first === quote) return skipText(row, at)
  if (first !== openObject && first !== openArray) {
    let next = at
    for (let byte = row[next]; byte !== undefined; byte = row[next]) {
      if (byte === comma || byte === closeObject || byte === closeArray || byte <= space) break
      next += 1
    }
    return next
  }
  let depth = 0
  for (let next = at; next < row.length;) {
    const byte = row[next]
    if (byte === quote) {
      next = skipText(row, next)
      continue
    }
    next += 1
    if (byte === openObject || byte === openArray) depth += 1
    if (byte === closeObject || byte === closeArray) depth -= 1
    if (depth === 0) return next
  }
  return row.length + 1
}

/**
 * Calls `visit` with where the name and the value of each field of a row stand, and the number of the field. Returns whether the row
 * is one object; `visit` may have seen fields of one that is none.
 */
const eachField = (
  row: Buffer,
  visit: (nameFrom: number, nameTo: number, valueFrom: number, valueTo: number, index: number) => void
): boolean => {
  let at = skipSpace(row, 0)
  if (row[at] !== openObject) return false
  at = skipSpace(row, at + 1)
  if (row[at] === closeObject) return skipSpace(row, at + 1) === row.length
  for (let index = 0; ; index += 1) {
    if (row[at] !== quote) return false
    const nameFrom = at + 1
    const nameEnd = skipText(row, at)
    at = skipSpace(row, nameEnd)
    if (row[at] !== colon) return false
    const valueFrom = skipSpace(row, at + 1)
    const valueTo = skipValue(row, valueFrom)
    visit(nameFrom, nameEnd - 1, valueFrom, valueTo, index)
    at = skipSpace(row, valueTo)
    if (row[at] === closeObject) return skipSpace(row, at + 1) === row.length
    if (row[at] !== comma) return false
    at = skipSpace(row, at + 1)
  }
}

/** A column's name as the bytes of a row, one character a byte. */
const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

/** A name as it stands in a row, without its escapes. */
const unescapeName = (raw: string): string => {
  if (!raw.includes("\\")) return raw
  try {
    return bytesOf(String(JSON.parse(`"${Buffer.from(raw, "latin1").toString("utf8")}"`)))
  } catch {
    return raw
  }
}

const n = 0x6e

const notOneObject = "the row is not one JSON object"

// What is kept of the names of a row.
const mostExpected = 1000
const longestExpected = 300

const isSame = (row: Uint8Array, from: number, to: number, bytes: Uint8Array): boolean => {
  if (to - from !== bytes.length) return false
  for (let index = 0; index < bytes.length; index += 1) if (row[from + index] !== bytes[index]) return false
  return true
}

/** A name in a row: the place of its column, or the name under which it is counted as unknown. */
interface Field {
  readonly place: number | undefined
  readonly unknown: string
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text)

/**
 * Makes a function that says why a row cannot be inserted; `undefined` if nothing is seen to be wrong, and the engine decides.
 *
 * The engine does in silence what a row does not say: null and a missing field become 0, 300 in a UInt8 becomes 44, 1e400
 * becomes inf, a date after the last one becomes the last one, two objects become two rows. This finds them by one pass over
 * the bytes, without decoding the row. Fields without a column, which the engine leaves out, are counted in `unknown`.
 */
export const rowScanner = (
  columns: ReadonlyArray<Column>,
  unknown = new Map<string, number>()
): ((row: Uint8Array) => string | undefined) => {
  const rules = columns.map(columnRule)
  const places = new Map(rules.map(({ name }, place) => [bytesOf(name), place] as const))
  const required = rules.flatMap(({ isRequired, name }, place) => (isRequired ? [{ name, place }] : []))
  // The number of the last row that held each column.
  const seen = new Float64Array(rules.length)
  let rows = 0
  // The names of the last row in their order: those of the next row are nearly always the same.
  const expected: Array<Field & { readonly bytes: Uint8Array }> = []

  const unknownName = (name: string) => unknownFieldName(unknown, Buffer.from(name, "latin1").toString("utf8"))

  const fieldAt = (row: Buffer, from: number, to: number, index: number): Field => {
    const guess = expected[index]
    if (guess !== undefined && isSame(row, from, to, guess.bytes)) return guess
    const name = unescapeName(row.toString("latin1", from, to))
    const place = places.get(name)
    const field = { place, unknown: place === undefined ? unknownName(name) : "" }
    if (index < mostExpected && to - from < longestExpected) {
      expected[index] = { bytes: Uint8Array.from(row.subarray(from, to)), ...field }
    }
    return field
  }

  const problemOf = ({ isRequired, name, values }: ColumnRule, row: Buffer, from: number, to: number) => {
    const first = row[from]
    if (first === n) return isRequired ? `column ${name}: null, and the column takes none` : undefined
    if (values === undefined || first === openObject || first === openArray) return undefined
    const quotes = first === quote ? 1 : 0
    if (values.isHarmless(row, from + quotes, to - quotes)) return undefined
    const text = row.toString("latin1", from + quotes, to - quotes)
    const problem = values.check(text)
    return problem === undefined ? undefined : `column ${name}: ${shown(text)}: ${problem}`
  }

  return (bytes) => {
    const row = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    rows += 1
    let problem: string | undefined
    const isObject = eachField(row, (nameFrom, nameTo, valueFrom, valueTo, index) => {
      const { place, unknown: name } = fieldAt(row, nameFrom, nameTo, index)
      const rule = place === undefined ? undefined : rules[place]
      if (place === undefined || rule === undefined) unknown.set(name, (unknown.get(name) ?? 0) + 1)
      else {
        seen[place] = rows
        problem ??= problemOf(rule, row, valueFrom, valueTo)
      }
    })
    if (!isObject) return notOneObject
    if (problem !== undefined) return problem
    for (const { name, place } of required) {
      if (seen[place] !== rows) return `column ${name}: missing, and the column has no default`
    }
    return undefined
  }
}

const open = Buffer.from("{")
const close = Buffer.from("}")
const nothing = Buffer.alloc(0)
const separator = Buffer.from(",")

/**
 * Makes a function that writes a row anew with the fields that are mapped, each under the name of its column; a field may go to
 * several columns, and one that is not mapped is left out. The bytes of the values stay as they are. Only fields of the row
 * itself are mapped, not those of objects in it. A row that is not one object is returned unchanged: it is a bad row.
 */
export const mapFields = (mappings: ReadonlyArray<FieldMapping>): ((row: Uint8Array) => Uint8Array) => {
  if (mappings.length === 0) return (row) => row
  const columns = new Map<string, Array<Buffer>>()
  for (const { destinationField, sourceField } of mappings) {
    if (Predicate.isNullish(sourceField)) continue
    const source = bytesOf(sourceField)
    const targets = columns.get(source) ?? []
    targets.push(Buffer.from(`${JSON.stringify(destinationField)}:`))
    columns.set(source, targets)
  }
  return (bytes) => {
    const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const parts: Array<Buffer> = [open]
    const isObject = eachField(row, (nameFrom, nameTo, valueFrom, valueTo) => {
      const targets = columns.get(unescapeName(row.toString("latin1", nameFrom, nameTo))) ?? []
      for (const name of targets) {
        parts.push(parts.length === 1 ? nothing : separator, name, row.subarray(valueFrom, valueTo))
      }
    })
    parts.push(close)
    return isObject ? Buffer.concat(parts) : bytes
  }
}
