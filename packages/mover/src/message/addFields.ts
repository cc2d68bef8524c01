import { isBlank } from "./objectOf.ts"

const closeBrace = 0x7d

/** Where the first field of a row that is one object begins, or the object ends. */
const firstField = (row: Uint8Array): number => {
  let at = 1
  while (isBlank(row[at])) at += 1
  return at
}

/**
 * Adds fields to a row that is one JSON object: they stand before its own, whose bytes stay as they are. Each character of a text is
 * one byte, so that a value may hold any bytes.
 *
 * @example
 * ```ts
 * import { addFields } from "@headgate/mover"
 *
 * const row = addFields(new TextEncoder().encode('{"a":1}'), [["_offset", "7"]])
 * console.log(new TextDecoder().decode(row)) // {"_offset":"7","a":1}
 * ```
 */
export const addFields = (
  row: Uint8Array,
  fields: ReadonlyArray<readonly [name: string, value: unknown]>
): Uint8Array => {
  if (fields.length === 0) return row
  const at = firstField(row)
  const added = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")
  const before = row[at] === closeBrace ? `{${added}` : `{${added},`
  const result = new Uint8Array(before.length + row.length - at)
  for (let index = 0; index < before.length; index += 1) result[index] = before.charCodeAt(index)
  result.set(row.subarray(at), before.length)
  return result
}
