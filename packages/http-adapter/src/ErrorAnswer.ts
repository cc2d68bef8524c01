import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Answer } from "./Attempt.ts"

/** Takes credentials out of a text that came from elsewhere. */
export type Redactor = (text: string) => string

// Words of three letters stand in every text: to take them out would garble it and hide nothing.
const leastLength = 4

/** What stands where a credential stood, as `Redacted` prints itself. */
export const marker = "<redacted>"

const utf8 = new TextEncoder()
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
const hexOf = (code: number, digits: number): string => anyCase(code.toString(16).padStart(digits, "0"))
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

// The entities that have names in common use; the rest of HTML's two thousand is written by nobody.
const entities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "+": "plus",
  "/": "sol",
  "=": "equals",
  ":": "colon"
}

/** Matches a character in every spelling in which a service, a proxy or a page gives back what it was sent. */
const spellingsOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const percent = Array.from(utf8.encode(character), (byte) => `%${hexOf(byte, 2)}`).join("")
  const json = units.map((unit) => `\\\\u${hexOf(unit, 4)}`).join("")
  const entity = entities[character]
  return `(?:${[
    literally(character),
    percent,
    `&#0*${code};`,
    `&#[xX]0*${hexOf(code, 1)};`,
    json,
    ...(entity === undefined ? [] : [`&${entity};`]),
    ...(/["\\/]/.test(character) ? [`\\\\${literally(character)}`] : []),
    ...(character === " " ? ["\\+"] : [])
  ].join("|")})`
}

// Compiled once for each secret, for as long as it is known.
const patterns = new WeakMap<Redacted.Redacted, RegExp>()
const patternOf = (secret: Redacted.Redacted): RegExp => {
  const known = patterns.get(secret)
  if (known !== undefined) return known
  const pattern = new RegExp(Array.from(Redacted.value(secret), spellingsOf).join(""), "g")
  patterns.set(secret, pattern)
  return pattern
}

/**
 * Takes out whatever of these credentials must not be seen: as they are, percent-encoded, in HTML's entities, escaped as
 * in JSON, and any mixture of these. `known` may grow.
 */
export const makeRedactor =
  (known: ReadonlyArray<{ readonly secrets: ReadonlyArray<Redacted.Redacted> }>): Redactor =>
  (text) =>
    known
      .flatMap(({ secrets }) => secrets)
      .filter((secret) => Redacted.value(secret).length >= leastLength)
      // A secret that another one begins with goes last, or the rest of the longer one would stay.
      .toSorted((a, b) => Redacted.value(b).length - Redacted.value(a).length)
      .reduce((text, secret) => text.replace(patternOf(secret), marker), text)

const maxExcerpt = 200

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= maxExcerpt ? line : `${line.slice(0, maxExcerpt - 1)}…`
}

/** A text from elsewhere as one line of at most 200 characters, without credentials. */
export const oneLine = (text: string, redact: Redactor): string => cut(redact(text))

// Enough to find some words in; what follows is not looked at, however much it is.
const maxScanned = 4096

// The marker of a credential looks like a tag and is none, nor does it end the tag that it stands in.
const tag = new RegExp(`<(?!${marker.slice(1)})[^<>]*(?:${marker}[^<>]*)*>`, "g")

/** What a page says: HTML without its markup, any other text as it is. One line, at most 200 characters. */
export const excerpt = (body: string, redact: Redactor): string => {
  const page = redact(body).slice(0, maxScanned)
  const words = page.replace(/<(script|style)\b[^]*?<\/\1>/gi, " ").replace(tag, " ")
  return cut(redact(words))
}

const otherThan2xx = /^[013-9]\d\d$/

/** Whether the status that an envelope repeats is one of failure: such an answer must not pass for a success. */
export const reportsFailure = (envelope: unknown): boolean => {
  const status = Predicate.hasProperty(envelope, "status") ? envelope.status : undefined
  return (Predicate.isNumber(status) || Predicate.isString(status)) && otherThan2xx.test(String(status))
}

// Both APIs' error bodies and what stands before them (RFC 9457) in one, with nothing required: proxies and rate
// limiters answer in their own words, and a service under stress leaves fields out.
const ErrorBody = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.optionalKey(Schema.Unknown),
    message: Schema.optionalKey(Schema.Unknown),
    detail: Schema.optionalKey(Schema.Unknown),
    requestId: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

/** What an answer that is no success says. */
export interface ErrorAnswer {
  /** The service's own words. */
  readonly detail?: string
  readonly requestId?: string
}

const firstWords = (values: ReadonlyArray<unknown>): string | undefined =>
  values.filter(Predicate.isString).find((text) => text.trim() !== "")

// `NOT_FOUND: no such pipe` or only `TOO_MANY_REQUESTS`: the tag of the error says as much as the code.
const withoutCode = (text: string): string => text.replace(/^[A-Z][A-Z0-9_]+(: |$)/, "")

/** Reads what there is to read, from JSON of either API or from any other text. */
export const readErrorAnswer = (answer: Answer, redact: Redactor): ErrorAnswer => {
  const body = Option.getOrUndefined(decodeErrorBody(answer.body))
  const words = firstWords([body?.error, body?.message, body?.detail])
  // JSON without words is not shown: nobody knows what it holds.
  const detail =
    words !== undefined
      ? oneLine(withoutCode(words), redact)
      : body === undefined && !/^\s*[[{]/.test(answer.body)
        ? excerpt(answer.body, redact)
        : ""
  const requestId = firstWords([body?.requestId, answer.headers["x-request-id"]])
  return {
    ...(detail === "" ? {} : { detail }),
    ...(requestId === undefined ? {} : { requestId: oneLine(requestId, redact) })
  }
}
