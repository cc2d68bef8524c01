import type { FieldMapping } from "@headgate/core"
import * as Predicate from "effect/Predicate"
import {
  bytesOf,
  closeObject,
  colon,
  comma,
  openObject,
  quote,
  skipSpace,
  skipText,
  skipValue,
  unescapeName
} from "./jsonBytes.ts"

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
    let at = skipSpace(row, 0)
    if (row[at] !== openObject) return bytes
    at = skipSpace(row, at + 1)
    while (row[at] !== closeObject) {
      if (row[at] !== quote) return bytes
      const nameEnd = skipText(row, at)
      const targets = columns.get(unescapeName(row.toString("latin1", at + 1, nameEnd - 1))) ?? []
      at = skipSpace(row, nameEnd)
      if (row[at] !== colon) return bytes
      at = skipSpace(row, at + 1)
      const valueEnd = skipValue(row, at)
      for (const name of targets) parts.push(parts.length === 1 ? nothing : separator, name, row.subarray(at, valueEnd))
      at = skipSpace(row, valueEnd)
      if (row[at] === closeObject) break
      if (row[at] !== comma) return bytes
      at = skipSpace(row, at + 1)
      // A comma before the end.
      if (row[at] === closeObject) return bytes
    }
    if (skipSpace(row, at + 1) !== row.length) return bytes
    parts.push(close)
    return Buffer.concat(parts)
  }
}
