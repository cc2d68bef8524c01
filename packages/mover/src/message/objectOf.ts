const space = 0x20
const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Space, tab, line feed and carriage return: what JSON allows between values. */
export const isBlank = (byte: number | undefined): boolean =>
  byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Whether the bytes from `begin` to `end` are one object: its first bracket is closed by its last byte and by none before
 * it. Brackets in strings do not count. What stands between the brackets is the warehouse's to read.
 */
const isOneObject = (value: Uint8Array, begin: number, end: number): boolean => {
  if (value[begin] !== openBrace || value[end - 1] !== closeBrace) return false
  let depth = 0
  let isString = false
  for (let at = begin; at < end; at += 1) {
    const byte = value[at]
    if (isString) {
      if (byte === backslash) at += 1
      else if (byte === quote) isString = false
    } else if (byte === quote) isString = true
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      if (depth === 0) return at === end - 1
    }
  }
  return false
}

const hasByteOrderMark = (value: Uint8Array): boolean => value[0] === 0xef && value[1] === 0xbb && value[2] === 0xbf

/**
 * The object that a message holds: its bytes, unread and not copied. Line breaks in it are blanks to JSONEachRow. A byte order mark is left
 * out, and so are blanks around the object. `undefined` if the message is not one object: its bytes are a row that no table takes.
 *
 * @example
 * ```ts
 * import { objectOf } from "@headgate/mover"
 *
 * const encoder = new TextEncoder()
 * console.log(objectOf(encoder.encode(' {"a":1} '))?.length, objectOf(encoder.encode("[1]"))) // 7 undefined
 * ```
 */
export const objectOf = (value: Uint8Array): Uint8Array | undefined => {
  let begin = hasByteOrderMark(value) ? 3 : 0
  let end = value.length
  while (begin < end && isBlank(value[begin])) begin += 1
  while (begin < end && isBlank(value[end - 1])) end -= 1
  if (!isOneObject(value, begin, end)) return undefined
  return begin === 0 && end === value.length ? value : value.subarray(begin, end)
}

/** The row of a message without a value. */
export const emptyRow = new TextEncoder().encode("{}")
