import type { Column } from "@headgate/clickhouse"
import type { FieldMapping } from "@headgate/core"
import { UnknownFields } from "@headgate/mover"
import * as Predicate from "effect/Predicate"
import { noNull, type Scan, scanValue } from "./jsonScan.ts"
import {
  badEscape,
  closeObject,
  colon,
  comma,
  malformed,
  n,
  nameOf,
  openObject,
  quote,
  shown,
  skipSpace,
  skipText,
  tokenAt
} from "./jsonTokens.ts"
import { columnRule } from "./typeMapping.ts"

// Rows are bytes of JSON, read without decoding them.

/**
 * Calls `visit` with where the name and the value of each field of a row begin, and the number of the field; it returns where the value
 * ends. Returns whether the row is one object; `visit` may have seen fields of one that is none.
 */
export const eachField = <Row extends Uint8Array>(
  row: Row,
  visit: (row: Row, nameFrom: number, nameTo: number, valueFrom: number, index: number) => number
): boolean => {
  let at = skipSpace(row, 0)
  if (row[at] !== openObject) return false
  at = skipSpace(row, at + 1)
  if (row[at] === closeObject) return skipSpace(row, at + 1) === row.length
  for (let index = 0; ; index += 1) {
    if (row[at] !== quote) return false
    const nameFrom = at + 1
    const nameEnd = skipText(row, at)
    if (nameEnd === malformed) return false
    at = skipSpace(row, nameEnd)
    if (row[at] !== colon) return false
    const valueTo = visit(row, nameFrom, nameEnd - 1, skipSpace(row, at + 1), index)
    if (valueTo === malformed) return false
    at = skipSpace(row, valueTo)
    if (row[at] === closeObject) return skipSpace(row, at + 1) === row.length
    if (row[at] !== comma) return false
    at = skipSpace(row, at + 1)
  }
}

/** A column's name as the bytes of a row, one character a byte. */
const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

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

/** Why no value of JSON begins at a place; `undefined` if it is cut off, or nothing better is known. */
const malformedReason = (row: Uint8Array, at: number): string | undefined => {
  if (row[at] === quote) {
    const escape = badEscape(row, at)
    return escape === undefined ? undefined : `${shown(escape)} is no escape of JSON`
  }
  const token = shown(tokenAt(row, at))
  return /^[\w.+-]+$/.test(token) ? `${token}: it is no value of JSON` : undefined
}

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

  const unknownName = (name: string) => UnknownFields.nameOf(unknown, Buffer.from(name, "latin1").toString("utf8"))

  const fieldAt = (row: Buffer, from: number, to: number, index: number): Field => {
    const guess = expected[index]
    if (guess !== undefined && isSame(row, from, to, guess.bytes)) return guess
    const name = nameOf(row, from, to)
    const place = places.get(name)
    const field = { place, unknown: place === undefined ? unknownName(name) : "" }
    if (index < mostExpected && to - from < longestExpected) {
      expected[index] = { bytes: Uint8Array.from(row.subarray(from, to)), ...field }
    }
    return field
  }

  const scan: Scan = { problem: undefined }
  let problem: string | undefined
  let notJson: string | undefined

  /** Keeps that a row has a field of no column, or a column twice. */
  const noteName = (place: number | undefined, name: string): void => {
    if (place === undefined || rules[place] === undefined) {
      unknown.set(name, (unknown.get(name) ?? 0) + 1)
      return
    }
    if (seen[place] === rows) problem ??= `column ${rules[place].name}: the row has it twice`
    seen[place] = rows
  }

  /** Keeps what the pass over a value has found. */
  const noteValue = (column: string): void => {
    const found = scan.problem
    if (found === undefined) return
    const wrong = found.reason === noNull ? noNull : `${shown(found.text)}: ${found.reason}`
    problem ??= `column ${column}${found.path}: ${wrong}`
    scan.problem = undefined
  }

  // One function for all rows: rows are many, and fields are more.
  const visit = (row: Buffer, nameFrom: number, nameTo: number, valueFrom: number, index: number): number => {
    const { place, unknown: name } = fieldAt(row, nameFrom, nameTo, index)
    const rule = place === undefined ? undefined : rules[place]
    noteName(place, name)
    const isNull = row[valueFrom] === n && rule?.isRequired !== true
    const valueTo = scanValue(scan, row, valueFrom, isNull ? undefined : rule?.values)
    if (valueTo === malformed) {
      const why = malformedReason(row, valueFrom)
      if (why !== undefined) notJson = `column ${rule?.name ?? shown(nameOf(row, nameFrom, nameTo))}: ${why}`
      return malformed
    }
    if (rule !== undefined) noteValue(rule.name)
    return valueTo
  }

  return (bytes) => {
    const row = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    rows += 1
    scan.problem = undefined
    problem = undefined
    notJson = undefined
    if (!eachField(row, visit)) return notJson ?? notOneObject
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
 * itself are mapped, not those of objects in it. A row that is not one object is returned unchanged: it is a rejected row.
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
  const scan: Scan = { problem: undefined }
  return (bytes) => {
    const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const parts: Array<Buffer> = [open]
    const isObject = eachField(row, (_, nameFrom, nameTo, valueFrom) => {
      const valueTo = scanValue(scan, row, valueFrom, undefined)
      const targets = columns.get(nameOf(row, nameFrom, nameTo)) ?? []
      for (const name of targets) {
        parts.push(parts.length === 1 ? nothing : separator, name, row.subarray(valueFrom, valueTo))
      }
      return valueTo
    })
    parts.push(close)
    return isObject ? Buffer.concat(parts) : bytes
  }
}
