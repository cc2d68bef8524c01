import type { FieldIssue } from "@headgate/core"
import { formatPath } from "@headgate/core/adapter"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Answer } from "./Attempt.ts"

/** Replaces the credentials in a text with `<redacted>`. */
export type Redactor = (text: string) => string

// A text of three letters is part of many words: replacing it would garble them and hide nothing.
const minLength = 4

/** What replaces a credential; `Redacted` prints itself in the same way. */
const marker = "<redacted>"

const utf8 = new TextEncoder()
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
const hexOf = (code: number, digits: number): string => anyCase(code.toString(16).padStart(digits, "0"))
const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

// The named entities in common use. HTML has two thousand; services do not write the others.
const namedEntities: Readonly<Record<string, string>> = {
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

/** A pattern for every escaped form of a character in which a service, a proxy or a page may echo it. */
const escapedFormsOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const percent = Array.from(utf8.encode(character), (byte) => `%${hexOf(byte, 2)}`).join("")
  const json = units.map((unit) => `\\\\u${hexOf(unit, 4)}`).join("")
  const entity = namedEntities[character]
  return `(?:${[
    escapeRegExp(character),
    percent,
    `&#0*${code};`,
    `&#[xX]0*${hexOf(code, 1)};`,
    json,
    ...(entity === undefined ? [] : [`&${entity};`]),
    ...(/["\\/]/.test(character) ? [`\\\\${escapeRegExp(character)}`] : []),
    ...(character === " " ? ["\\+"] : [])
  ].join("|")})`
}

// Compiled once for each secret.
const patterns = new WeakMap<Redacted.Redacted, RegExp>()
const patternOf = (secret: Redacted.Redacted): RegExp => {
  const known = patterns.get(secret)
  if (known !== undefined) return known
  const pattern = new RegExp(Array.from(Redacted.value(secret), escapedFormsOf).join(""), "g")
  patterns.set(secret, pattern)
  return pattern
}

/**
 * Makes a redactor of these secrets: as they are, percent-encoded, as HTML entities, escaped as in JSON, and in any
 * mixture of these. `known` may grow.
 */
export const makeRedactor =
  (known: ReadonlyArray<{ readonly secrets: ReadonlyArray<Redacted.Redacted> }>): Redactor =>
  (text) =>
    known
      .flatMap(({ secrets }) => secrets)
      .filter((secret) => Redacted.value(secret).length >= minLength)
      // Longer secrets first: after a shorter one that they begin with, their rest would stay.
      .toSorted((a, b) => Redacted.value(b).length - Redacted.value(a).length)
      .reduce((text, secret) => text.replace(patternOf(secret), marker), text)

const maxExcerpt = 200

// A refusal may name dozens of fields, and the caller needs all of them.
const maxMessage = 4096

const toLine = (text: string, maxLength: number): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
}

/** A text of the service or the runtime as one line without credentials, of at most 200 characters by default. */
export const oneLine = (text: string, redact: Redactor, maxLength = maxExcerpt): string =>
  toLine(redact(text), maxLength)

// The rest of a page is not read: the first words are enough.
const maxScanned = 4096

// The marker looks like a tag: it is kept, and it does not end a tag that contains it.
const tag = new RegExp(`<(?!${marker.slice(1)})[^<>]*(?:${marker}[^<>]*)*>`, "g")

/** The text of a page: HTML without its markup, any other text as it is. One line, at most 200 characters. */
export const excerpt = (body: string, redact: Redactor): string => {
  const page = redact(body).slice(0, maxScanned)
  const words = page.replace(/<(script|style)\b[^]*?<\/\1>/gi, " ").replace(tag, " ")
  return oneLine(words, redact)
}

const otherThan2xx = /^(?!2)\d{3}$/

/** Whether the `status` in an envelope is not 2xx: such an answer is no success, whatever its HTTP status. */
export const reportsFailure = (envelope: unknown): boolean => {
  const status = Predicate.hasProperty(envelope, "status") ? envelope.status : undefined
  return (Predicate.isNumber(status) || Predicate.isString(status)) && otherThan2xx.test(String(status))
}

// The error bodies of both APIs and of proxies (RFC 9457). No field is required: rate limiters answer in their own
// format, and an overloaded service leaves fields out.
const ErrorBody = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.optionalKey(Schema.Unknown),
    message: Schema.optionalKey(Schema.Unknown),
    detail: Schema.optionalKey(Schema.Unknown),
    requestId: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

/** What an error answer says. */
export interface ErrorAnswer {
  /** The message of the service, as one line. */
  readonly detail?: string
  /** The fields that the message names. */
  readonly issues: ReadonlyArray<FieldIssue>
  readonly requestId?: string
}

const firstText = (values: ReadonlyArray<unknown>): string | undefined =>
  values.filter(Predicate.isString).find((text) => text.trim() !== "")

// `NOT_FOUND: no such pipe`, or only `TOO_MANY_REQUESTS`: the tag of the error already says what the code says.
const withoutCode = (text: string): string => text.replace(/^[A-Z][A-Z0-9_]+(: |$)/, "")

// The real dashboards service: `Body validation failed: tiles.0.name: Required; Params validation failed: id: Invalid`.
const validation = /^(?:Body|Params) validation failed: /
// A message may contain a semicolon: an issue begins where a path follows it.
const betweenIssues = /; (?=(?:(?:Body|Params) validation failed: )?[^\s:;]+: )/
const fieldPath = /^([^\s:;]+): /

/** A path of the real dashboards service, `tiles.0.name`, as this library writes it: `tiles[0].name`. */
export const fromDottedPath = (path: string): string => {
  const segments = path === "" ? [] : path.split(".")
  return formatPath(segments.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment)))
}

const issueOf = (text: string): FieldIssue => {
  const [start = "", path = ""] = fieldPath.exec(text) ?? []
  return { path: fromDottedPath(path), message: text.slice(start.length) }
}

const issuesOf = (detail: string): ReadonlyArray<FieldIssue> =>
  validation.test(detail) ? detail.split(betweenIssues).map((text) => issueOf(text.replace(validation, ""))) : []

/** Reads the message and the request id of an error answer: JSON of either API, or any other text. */
export const readErrorAnswer = (answer: Answer, redact: Redactor): ErrorAnswer => {
  const body = Option.getOrUndefined(decodeErrorBody(answer.body))
  const message = firstText([body?.error, body?.message, body?.detail])
  // JSON without a message is not shown: it may hold a secret.
  const detail =
    message !== undefined
      ? oneLine(withoutCode(message), redact, maxMessage)
      : body === undefined && !/^\s*[[{]/.test(answer.body)
        ? excerpt(answer.body, redact)
        : ""
  const requestId = firstText([body?.requestId, answer.headers["x-request-id"]])
  return {
    ...(detail === "" ? {} : { detail }),
    issues: issuesOf(detail),
    ...(requestId === undefined ? {} : { requestId: oneLine(requestId, redact) })
  }
}
