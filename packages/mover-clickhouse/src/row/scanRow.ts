import { unknownFieldName } from "@headgate/mover"
import type { Column, ColumnRule } from "./columnRule.ts"
import { columnRule } from "./columnRule.ts"
import {
  bytesOf,
  closeObject,
  colon,
  comma,
  openArray,
  openObject,
  quote,
  skipSpace,
  skipText,
  skipValue,
  unescapeName
} from "./jsonBytes.ts"

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
    let at = skipSpace(row, 0)
    if (row[at] !== openObject) return notOneObject
    at = skipSpace(row, at + 1)
    let problem: string | undefined
    if (row[at] === closeObject) at += 1
    else {
      for (let index = 0; ; index += 1) {
        if (row[at] !== quote) return notOneObject
        const nameEnd = skipText(row, at)
        const { place, unknown: name } = fieldAt(row, at + 1, nameEnd - 1, index)
        at = skipSpace(row, nameEnd)
        if (row[at] !== colon) return notOneObject
        at = skipSpace(row, at + 1)
        const valueEnd = skipValue(row, at)
        const rule = place === undefined ? undefined : rules[place]
        if (place === undefined || rule === undefined) unknown.set(name, (unknown.get(name) ?? 0) + 1)
        else {
          seen[place] = rows
          problem ??= problemOf(rule, row, at, valueEnd)
        }
        at = skipSpace(row, valueEnd)
        const next = row[at]
        at += 1
        if (next === closeObject) break
        if (next !== comma) return notOneObject
        at = skipSpace(row, at)
      }
    }
    if (skipSpace(row, at) !== row.length) return notOneObject
    if (problem !== undefined) return problem
    for (const { name, place } of required) {
      if (seen[place] !== rows) return `column ${name}: missing, and the column has no default`
    }
    return undefined
  }
}
