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

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text)

/**
 * Makes a function that says why a row cannot be inserted; `undefined` if nothing is seen to be wrong, and the engine decides.
 *
 * The engine does in silence what a row does not say: null and a missing field become 0, 300 in a UInt8 becomes 44, 1e400
 * becomes inf, a date after the last one becomes the last one, two objects become two rows. This finds them by one pass over
 * the bytes, without decoding the row.
 */
export const rowScanner = (columns: ReadonlyArray<Column>): ((row: Uint8Array) => string | undefined) => {
  const rules = columns.map(columnRule)
  const places = new Map(rules.map(({ name }, place) => [bytesOf(name), place] as const))
  const required = rules.flatMap(({ isRequired, name }, place) => (isRequired ? [{ name, place }] : []))
  // The number of the last row that held each column.
  const seen = new Float64Array(rules.length)
  let rows = 0
  // The names of the last row in their order, with their places: those of the next row are nearly always the same.
  const expected: Array<{ readonly bytes: Uint8Array; readonly place: number | undefined }> = []

  const placeOf = (row: Buffer, from: number, to: number, index: number): number | undefined => {
    const guess = expected[index]
    if (guess !== undefined && isSame(row, from, to, guess.bytes)) return guess.place
    const place = places.get(unescapeName(row.toString("latin1", from, to)))
    if (index < mostExpected && to - from < longestExpected) {
      expected[index] = { bytes: Uint8Array.from(row.subarray(from, to)), place }
    }
    return place
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
        const place = placeOf(row, at + 1, nameEnd - 1, index)
        at = skipSpace(row, nameEnd)
        if (row[at] !== colon) return notOneObject
        at = skipSpace(row, at + 1)
        const valueEnd = skipValue(row, at)
        const rule = place === undefined ? undefined : rules[place]
        if (place !== undefined && rule !== undefined) {
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
