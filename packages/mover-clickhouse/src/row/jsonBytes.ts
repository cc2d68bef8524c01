// The bytes of JSON, read without decoding them.

/** The bytes that stand between and around the fields of an object. */
export const [quote, comma, colon, openObject, closeObject, openArray] = [0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b]

const [tab, newline, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const backslash = 0x5c
const closeArray = 0x5d

/** The place of the first byte from `at` on that is no white space. */
export const skipSpace = (row: Buffer, at: number): number => {
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
export const skipText = (row: Buffer, at: number): number => {
  let next = at + 1
  for (let byte = row[next]; byte !== undefined && byte !== quote; byte = row[next]) next += byte === backslash ? 2 : 1
  return next + 1
}

/** The place after a value: a text, an object, an array, or what ends before a comma, a bracket or white space. */
export const skipValue = (row: Buffer, at: number): number => {
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

/** A column's name as the bytes of a row, one character a byte. */
export const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

/** A name as it stands in a row, without its escapes. */
export const unescapeName = (raw: string): string => {
  if (!raw.includes("\\")) return raw
  try {
    return bytesOf(String(JSON.parse(`"${Buffer.from(raw, "latin1").toString("utf8")}"`)))
  } catch {
    return raw
  }
}
