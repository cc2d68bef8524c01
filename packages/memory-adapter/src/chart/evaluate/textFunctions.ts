import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isInteger, isText, nothing, text, typeText, uint64, uint8 } from "../value/DataType.ts"
import { notInMemory, refuse } from "../value/refuse.ts"
import { valueText } from "../value/texts.ts"
import { flag, textOf, type Value, whole } from "../value/Value.ts"
import { at, type Evaluated, literalText, type MemoryFunction, strict } from "./Evaluated.ts"

// Every platform has them, but no library of types that the package uses.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string }

// Texts are bytes to the engine: lengths and positions count bytes.
const encoder = new TextEncoder()
const decoder = new TextDecoder()

const wantTexts = (args: ReadonlyArray<Evaluated>, name: string): void => {
  for (const { type } of args) {
    if (!isText(type) && type.name !== "Nothing") refuse(`${name} does not take values of the type ${typeText(type)}`)
  }
}

const ofTexts =
  (type: typeof text, run: (...texts: ReadonlyArray<string>) => Value): MemoryFunction =>
  (args, name) => {
    wantTexts(args, name)
    return strict(args, type, (...values) => run(...values.map(textOf)))
  }

const upperAscii = (written: string): string => written.replace(/[a-z]+/g, (part) => part.toUpperCase())
const lowerAscii = (written: string): string => written.replace(/[A-Z]+/g, (part) => part.toLowerCase())

const patterns = new Map<string, RegExp>()

/** The pattern of `LIKE`: `%` any text, `_` one character, `\` before a character takes it as it is. */
const likePattern = (pattern: string, flags: string): RegExp => {
  const key = `${flags} ${pattern}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const source = pattern.replace(/\\[%_\\]|[%_]|[\\^$.*+?()[\]{}|/]/g, (part) => {
    if (part === "%") return "[^]*"
    if (part === "_") return "[^]"
    const sign = part.length > 1 ? part.slice(1) : part
    return /[%_]/.test(sign) ? sign : `\\${sign}`
  })
  const made = new RegExp(`^${source}$`, flags)
  patterns.set(key, made)
  return made
}

const like = (isLike: boolean, flags: string): MemoryFunction =>
  ofTexts(uint8, (value = "", pattern = "") => flag(likePattern(pattern, flags).test(value) === isLike))

const isSeparator = /[^0-9A-Za-z\u0080-\u{10ffff}]/u

/** Words are letters, digits and whatever is not ASCII. */
const hasToken =
  (fold: (written: string) => string): MemoryFunction =>
  (args, name) => {
    wantTexts(args, name)
    const token = literalText(at(args, 1)) ?? refuse(`${name} wants a literal as its token`)
    if (token === "" || isSeparator.test(token)) return refuse(`${name} wants a token without spaces and signs`)
    const wanted = fold(token)
    return strict([at(args, 0)], uint8, (value = null) => flag(fold(textOf(value)).split(isSeparator).includes(wanted)))
  }

const concat: MemoryFunction = (args) => {
  const types = args.map(({ type }) => type)
  return strict(args, text, (...values) =>
    values.map((value, index) => valueText(value, types[index] ?? text)).join("")
  )
}

const concatWithSeparator: MemoryFunction = ([separator, ...rest], name) => {
  const literal = separator === undefined ? undefined : literalText(separator)
  if (literal === undefined) return refuse(`${name} wants a literal as its separator`)
  const types = rest.map(({ type }) => type)
  return strict(rest, text, (...values) =>
    values.map((value, index) => valueText(value, types[index] ?? text)).join(literal)
  )
}

const cut = (written: string, from: bigint, count: bigint | undefined): string => {
  const bytes = encoder.encode(written)
  if (from === 0n) return refuse("substring wants a position from 1, or a negative one from the end")
  const start = from > 0n ? Number(from) - 1 : Math.max(bytes.length + Number(from), 0)
  // What stands before the text counts, too.
  const before = from < 0n && -from > BigInt(bytes.length) ? Number(-from) - bytes.length : 0
  const end =
    count === undefined ? bytes.length : count < 0n ? bytes.length + Number(count) : start - before + Number(count)
  const part = decoder.decode(bytes.subarray(start, Math.max(end, start)))
  // The evaluator has no texts that are no UTF-8.
  return part.includes("\ufffd") && !written.includes("\ufffd") ? notInMemory("a part of a character") : part
}

const substring: MemoryFunction = (args, name) => {
  wantTexts(args.slice(0, 1), name)
  if (args.slice(1).some(({ type }) => !isInteger(type) && type.name !== "Nothing")) {
    return refuse(`${name} wants whole numbers as its position and length`)
  }
  return strict(args, text, (value = null, from = null, count) =>
    cut(textOf(value), whole(from), count === undefined ? undefined : whole(count))
  )
}

const position: MemoryFunction = ofTexts(uint64, (value = "", part = "") => {
  const found = value.indexOf(part)
  return found < 0 ? 0n : BigInt(encoder.encode(value.slice(0, found)).length + 1)
})

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const parsed = (written: string): unknown => Option.getOrUndefined(decodeJson(written))

/** What stands in a JSON value under a key, or at a place that is counted from 1, or from the end by a negative number. */
const step = (value: unknown, key: Value): unknown => {
  if (typeof value !== "object" || value === null) return undefined
  if (typeof key === "string") {
    return Array.isArray(value) ? undefined : Object.entries(value).find(([name]) => name === key)?.[1]
  }
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : Object.values(value)
  const place = Number(whole(key))
  return items.at(place > 0 ? place - 1 : place < 0 ? place : items.length)
}

const jsonText: MemoryFunction = (args, name) => {
  wantTexts(args.slice(0, 1), name)
  return strict(args, text, (written = null, ...keys) => {
    const found = keys.reduce<unknown>(step, parsed(textOf(written)))
    if (found === undefined || found === null) return ""
    return typeof found === "string" ? found : JSON.stringify(found)
  })
}

const hashOf = (written: string): bigint =>
  encoder
    .encode(written)
    .reduce<bigint>(
      (hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100_0000_01b3n),
      0xcbf2_9ce4_8422_2325n
    )

/** Not the hash of the engine: another number, which is the same for the same values. */
const stableHash: MemoryFunction = (args) => {
  if (args.some(({ type }) => type.name === "Nothing")) return { type: nothing, of: () => null }
  const types = args.map(({ type }) => type)
  return strict(args, uint64, (...values) =>
    hashOf(values.map((value, index) => JSON.stringify(valueText(value, types[index] ?? text))).join())
  )
}

/** The functions of texts. */
export const textFunctions: Readonly<Record<string, MemoryFunction>> = {
  lower: ofTexts(text, (value = "") => lowerAscii(value)),
  upper: ofTexts(text, (value = "") => upperAscii(value)),
  like: like(true, "u"),
  notLike: like(false, "u"),
  ilike: like(true, "iu"),
  notILike: like(false, "iu"),
  startsWith: ofTexts(uint8, (value = "", start = "") => flag(value.startsWith(start))),
  endsWith: ofTexts(uint8, (value = "", end = "") => flag(value.endsWith(end))),
  position,
  hasToken: hasToken((written) => written),
  hasTokenCaseInsensitive: hasToken(lowerAscii),
  concat,
  concatWithSeparator,
  substring,
  JSONExtractString: jsonText,
  cityHash64: stableHash
}

export const byteLength = (written: string): bigint => BigInt(encoder.encode(written).length)
