import type { LeafRule, Spelling } from "./LeafRule.ts"
import type { ValueRule } from "./typeMapping.ts"

// One strict pass over the bytes of a value of JSON, without decoding it.

const [quote, comma, colon, openObject, closeObject, openArray, closeArray] = [0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const [tab, newline, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const [backslash, slash, dash, plus, dot, zero, nine] = [0x5c, 0x2f, 0x2d, 0x2b, 0x2e, 0x30, 0x39]
const [b, e, f, n, r, t, u, upperE] = [0x62, 0x65, 0x66, 0x6e, 0x72, 0x74, 0x75, 0x45]

/** Where a value was no value of JSON. */
export const malformed = -1

// The engine refuses what is nested deeper than twice this.
const deepest = 500

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

const skipNumber = (row: Uint8Array, at: number): number => {
  const from = row[at] === dash ? at + 1 : at
  let next = row[from] === zero ? from + 1 : skipSomeDigits(row, from)
  if (next !== malformed && row[next] === dot) next = skipSomeDigits(row, next + 1)
  return next === malformed ? malformed : skipExponent(row, next)
}

const [trueBytes, falseBytes, nullBytes] = ["true", "false", "null"].map((text) => Buffer.from(text))

const skipWord = (row: Uint8Array, at: number, word: Uint8Array | undefined): number => {
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
const unescape = (raw: string): string =>
  raw.includes("\\")
    ? raw.replaceAll(escapes, (_, units: string | undefined, simple: string) =>
        units === undefined
          ? (simpleEscapes.get(simple) ?? simple)
          : Buffer.from(String(JSON.parse(`"${units}"`)), "utf8").toString("latin1")
      )
    : raw

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

/** Why a null is refused. */
export const noNull = "null, and the column takes none"

/** What is wrong with a value: where it stands in its column, its text as it stands in the row, and why. */
export interface Problem {
  path: string
  readonly text: string
  readonly reason: string
}

const mostShown = 60

/** Bytes of a row as a message shows them: decoded, and shortened. */
export const shown = (raw: string): string => {
  const text = Buffer.from(raw.slice(0, 4 * mostShown + 4), "latin1").toString("utf8")
  return text.length > mostShown ? `${text.slice(0, mostShown)}...` : text
}

const kinds = { Array: "an array", Map: "an object", Tuple: "an array" } as const

/**
 * A pass over values of JSON. `scan` returns the place after the value that begins at `at`, or `malformed` if there is none. The first
 * value that its rule refuses is in `problem`; the pass goes on behind it, for the row may be malformed as well.
 */
export const valueScanner = () => {
  const state: { problem: Problem | undefined } = { problem: undefined }

  const refuse = (row: Uint8Array, from: number, to: number, reason: string): void => {
    state.problem ??= { path: "", text: Buffer.from(row.subarray(from, to)).toString("latin1"), reason }
  }

  const within = (before: Problem | undefined, path: () => string): void => {
    if (state.problem !== undefined && state.problem !== before) state.problem.path = path() + state.problem.path
  }

  const checkLeaf = (rule: LeafRule, row: Uint8Array, from: number, to: number, spelling: Spelling): void => {
    if (rule.isHarmless(row, from, to, spelling)) return
    const raw = Buffer.from(row.buffer, row.byteOffset + from, to - from).toString("latin1")
    const reason = rule.check(spelling === "text" ? unescape(raw) : raw, spelling)
    if (reason !== undefined) refuse(row, from, to, reason)
  }

  /** Checks a value that is no array, no object and no null. */
  const checkPlain = (rule: ValueRule | undefined, row: Uint8Array, from: number, to: number, spelling: Spelling) => {
    if (rule === undefined || rule._tag === "Any") return
    if (rule._tag === "Leaf") checkLeaf(rule.rule, row, from, to, spelling)
    else refuse(row, from, to, `it is not ${kinds[rule._tag]}, which the column takes`)
  }

  /** Checks a value that ends at `end`, unless it is malformed. */
  const plainUntil = (
    rule: ValueRule | undefined,
    row: Uint8Array,
    from: number,
    end: number,
    spelling: Exclude<Spelling, "text">
  ): number => {
    if (end !== malformed) checkPlain(rule, row, from, end, spelling)
    return end
  }

  const scanText = (row: Uint8Array, at: number, rule: ValueRule | undefined): number => {
    const end = skipText(row, at)
    if (end !== malformed) checkPlain(rule, row, at + 1, end - 1, "text")
    return end
  }

  const scanNull = (row: Uint8Array, at: number, rule: ValueRule | undefined): number => {
    const end = skipWord(row, at, nullBytes)
    if (end !== malformed && rule?.takesNull === false) refuse(row, at, end, noNull)
    return end
  }

  const scan = (row: Uint8Array, at: number, rule: ValueRule | undefined, depth: number): number => {
    const first = row[at] ?? 0
    if (first === quote) return scanText(row, at, rule)
    if ((first >= zero && first <= nine) || first === dash) {
      return plainUntil(rule, row, at, skipNumber(row, at), "number")
    }
    if (first === openObject) return depth > deepest ? malformed : scanObject(row, at, rule, depth + 1)
    if (first === openArray) return depth > deepest ? malformed : scanArray(row, at, rule, depth + 1)
    if (first === n) return scanNull(row, at, rule)
    return plainUntil(rule, row, at, skipWord(row, at, first === t ? trueBytes : falseBytes), "boolean")
  }

  /** The elements of a tuple that is written as an array. */
  const elementsOf = (rule: ValueRule | undefined) =>
    rule?._tag === "Tuple" && rule.places === undefined ? rule.elements : undefined

  /** Checks that a column takes an array of so many elements. */
  const checkArray = (rule: ValueRule | undefined, row: Uint8Array, from: number, to: number, count: number): void => {
    if (rule === undefined || rule._tag === "Any" || rule._tag === "Array") return
    const elements = elementsOf(rule)
    if (rule._tag === "Leaf") refuse(row, from, to, `it is an array, and the column takes ${rule.type.text}`)
    else if (elements === undefined) refuse(row, from, to, "it is not an object, which the column takes")
    else if (count !== elements.length)
      refuse(row, from, to, `it has ${count} elements, and the column takes ${elements.length}`)
  }

  const scanArray = (row: Uint8Array, at: number, rule: ValueRule | undefined, depth: number): number => {
    const elements = elementsOf(rule)
    const of = rule?._tag === "Array" ? rule.of : undefined
    const before = state.problem
    let next = skipSpace(row, at + 1)
    let count = 0
    for (let goesOn = row[next] !== closeArray; goesOn; count += 1) {
      const known = state.problem
      const end = scan(row, next, elements === undefined ? of : elements[count], depth)
      if (end === malformed) return malformed
      const index = count
      within(known, () => `[${index}]`)
      next = skipSpace(row, end)
      goesOn = row[next] === comma
      if (goesOn) next = skipSpace(row, next + 1)
      else if (row[next] !== closeArray) return malformed
    }
    if (before === state.problem) checkArray(rule, row, at, next + 1, count)
    return next + 1
  }

  /** The rule of a field of an object, by its name. `seen` are the places of the fields before it. */
  const ruleOfField = (rule: ValueRule | undefined, row: Uint8Array, from: number, to: number, seen: Set<number>) => {
    if (rule?._tag === "Map") {
      if (rule.key !== undefined) checkLeaf(rule.key, row, from, to, "text")
      return rule.value
    }
    if (rule?._tag !== "Tuple") return undefined
    const place = rule.places?.get(nameOf(row, from, to))
    if (place === undefined) return undefined
    if (seen.has(place)) refuse(row, from, to, "the object has it twice")
    seen.add(place)
    return rule.elements[place]
  }

  /** Checks that a column takes an object with the fields that were seen. */
  const checkObject = (
    rule: ValueRule | undefined,
    row: Uint8Array,
    from: number,
    to: number,
    seen: ReadonlySet<number>
  ): void => {
    if (rule === undefined || rule._tag === "Any" || rule._tag === "Map") return
    if (rule._tag === "Leaf") return refuse(row, from, to, `it is an object, and the column takes ${rule.type.text}`)
    if (rule._tag === "Array" || rule.places === undefined)
      return refuse(row, from, to, "it is not an array, which the column takes")
    for (const [name, place] of rule.places) {
      if (seen.has(place) || rule.elements[place]?.takesNull === true) continue
      refuse(row, from, to, `the field ${shown(name)} is missing`)
    }
  }

  const scanObject = (row: Uint8Array, at: number, rule: ValueRule | undefined, depth: number): number => {
    const seen = new Set<number>()
    const before = state.problem
    let next = skipSpace(row, at + 1)
    for (let goesOn = row[next] !== closeObject; goesOn;) {
      if (row[next] !== quote) return malformed
      const [nameFrom, nameEnd] = [next + 1, skipText(row, next)]
      if (nameEnd === malformed) return malformed
      next = skipSpace(row, nameEnd)
      if (row[next] !== colon) return malformed
      const known = state.problem
      const of = ruleOfField(rule, row, nameFrom, nameEnd - 1, seen)
      const end = scan(row, skipSpace(row, next + 1), of, depth)
      if (end === malformed) return malformed
      within(known, () => `[${JSON.stringify(shown(nameOf(row, nameFrom, nameEnd - 1)))}]`)
      next = skipSpace(row, end)
      goesOn = row[next] === comma
      if (goesOn) next = skipSpace(row, next + 1)
      else if (row[next] !== closeObject) return malformed
    }
    if (before === state.problem) checkObject(rule, row, at, next + 1, seen)
    return next + 1
  }

  return {
    /** The first problem since it was set to none. */
    state,
    scan: (row: Uint8Array, at: number, rule: ValueRule | undefined): number => scan(row, at, rule, 0)
  }
}

/** A name or key as it stands in a row, without its escapes, one character a byte. */
export const nameOf = (row: Uint8Array, from: number, to: number): string =>
  unescape(Buffer.from(row.buffer, row.byteOffset + from, to - from).toString("latin1"))
