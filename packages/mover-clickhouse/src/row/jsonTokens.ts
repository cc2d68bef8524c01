// The bytes of JSON, read strictly and without decoding them.

// The bytes at which a reader of JSON looks.
export const [quote, comma, colon, dash, zero, nine, n, t] = [0x22, 0x2c, 0x3a, 0x2d, 0x30, 0x39, 0x6e, 0x74]
export const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]
const [tab, newline, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const [backslash, slash, plus, dot] = [0x5c, 0x2f, 0x2b, 0x2e]
const [b, e, f, r, u, upperE] = [0x62, 0x65, 0x66, 0x72, 0x75, 0x45]

/** Where a value was no value of JSON. */
export const malformed = -1

/** The place of the first byte from `at` on that is no white space. */
export const skipSpace = (row: Uint8Array, at: number): number => {
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

const hexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return malformed
  if (byte >= zero && byte <= nine) return byte - zero
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : malformed
}

/** The number of the four hex digits from `at` on. */
const hexOf = (row: Uint8Array, at: number): number => {
  let value = 0
  for (let next = at; next < at + 4; next += 1) {
    const digit = hexDigit(row[next])
    if (digit === malformed) return malformed
    value = value * 16 + digit
  }
  return value
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

// Those of one letter.
const shortEscapes: ReadonlySet<number> = new Set([quote, backslash, slash, b, f, n, r, t])

/** The place after an escape. Half of a pair of surrogates is no character: the engine would write bytes that are no text. */
const skipEscape = (row: Uint8Array, at: number): number => {
  const byte = row[at + 1]
  if (byte === u) {
    const code = hexOf(row, at + 2)
    if (code === malformed || isLow(code)) return malformed
    if (!isHigh(code)) return at + 6
    return row[at + 6] === backslash && row[at + 7] === u && isLow(hexOf(row, at + 8)) ? at + 12 : malformed
  }
  return byte !== undefined && shortEscapes.has(byte) ? at + 2 : malformed
}

/** The place after the quote that ends the text which begins at `at`. */
export const skipText = (row: Uint8Array, at: number): number => {
  const { length } = row
  let next = at + 1
  while (next < length) {
    const byte = row[next]
    if (byte === quote) return next + 1
    if (byte === backslash) {
      next = skipEscape(row, next)
      if (next === malformed) return malformed
      // A line break in a text is none of JSON's, and a row that is searched must be one line.
    } else if (byte === newline) return malformed
    else next += 1
  }
  return malformed
}

const skipDigits = (row: Uint8Array, at: number): number => {
  let next = at
  for (let byte = row[next] ?? 0; byte >= zero && byte <= nine; byte = row[next] ?? 0) next += 1
  return next
}

/** The place after digits, of which there must be one. */
const skipSomeDigits = (row: Uint8Array, at: number): number => {
  const end = skipDigits(row, at)
  return end === at ? malformed : end
}

const skipExponent = (row: Uint8Array, at: number): number => {
  if (row[at] !== e && row[at] !== upperE) return at
  const isSigned = row[at + 1] === plus || row[at + 1] === dash
  return skipSomeDigits(row, isSigned ? at + 2 : at + 1)
}

export const skipNumber = (row: Uint8Array, at: number): number => {
  const from = row[at] === dash ? at + 1 : at
  let next = row[from] === zero ? from + 1 : skipSomeDigits(row, from)
  if (next !== malformed && row[next] === dot) next = skipSomeDigits(row, next + 1)
  return next === malformed ? malformed : skipExponent(row, next)
}

export const [trueBytes, falseBytes, nullBytes] = ["true", "false", "null"].map((text) => Buffer.from(text))

export const skipWord = (row: Uint8Array, at: number, word: Uint8Array | undefined): number => {
  if (word === undefined) return malformed
  for (let index = 0; index < word.length; index += 1) if (row[at + index] !== word[index]) return malformed
  return at + word.length
}

const simpleEscapes = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"]
])

const escapes = /((?:\\u[\da-fA-F]{4})+)|\\([^])/g

/** A text without its escapes, one character a byte; `raw` is as it stands between the quotes, one character a byte. */
export const unescape = (raw: string): string =>
  raw.includes("\\")
    ? raw.replaceAll(escapes, (_, units: string | undefined, simple: string) =>
        units === undefined
          ? (simpleEscapes.get(simple) ?? simple)
          : Buffer.from(String(JSON.parse(`"${units}"`)), "utf8").toString("latin1")
      )
    : raw

const mostShown = 60

/** Bytes of a row as a message shows them: decoded, and shortened. */
export const shown = (raw: string): string => {
  const text = Buffer.from(raw.slice(0, 4 * mostShown + 4), "latin1").toString("utf8")
  return text.length > mostShown ? `${text.slice(0, mostShown)}...` : text
}

/** The escape at which the text that begins at `at` is no text of JSON; `undefined` if it has no end. */
export const badEscape = (row: Uint8Array, at: number): string | undefined => {
  for (let next = at + 1; next < row.length && row[next] !== quote; next += 1) {
    if (row[next] !== backslash) continue
    const end = skipEscape(row, next)
    if (end === malformed) {
      const to = row[next + 1] === u ? next + 6 : next + 2
      return to > row.length ? undefined : Buffer.from(row.subarray(next, to)).toString("latin1")
    }
    next = end - 1
  }
  return undefined
}

/** What stands where no value of JSON does, up to the next separator. */
export const tokenAt = (row: Uint8Array, at: number): string => {
  let next = at
  for (let byte = row[next]; byte !== undefined && next < at + 4 * mostShown; byte = row[next]) {
    if (byte === comma || byte === closeObject || byte === closeArray || byte <= space) break
    next += 1
  }
  return Buffer.from(row.subarray(at, next)).toString("latin1")
}

/** A name or key as it stands in a row, without its escapes, one character a byte. */
export const nameOf = (row: Uint8Array, from: number, to: number): string =>
  unescape(Buffer.from(row.buffer, row.byteOffset + from, to - from).toString("latin1"))
