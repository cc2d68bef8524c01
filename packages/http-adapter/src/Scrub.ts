import * as Redacted from "effect/Redacted"
import type { Auth } from "./Auth.ts"

/** Takes credentials out of a text that came from elsewhere. */
export type Scrub = (text: string) => string

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
export const scrubber =
  (known: ReadonlyArray<Auth>): Scrub =>
  (text) =>
    known
      .flatMap(({ secrets }) => secrets)
      .filter((secret) => Redacted.value(secret).length >= leastLength)
      // A secret that another one begins with goes last, or the rest of the longer one would stay.
      .toSorted((a, b) => Redacted.value(b).length - Redacted.value(a).length)
      .reduce((text, secret) => text.replace(patternOf(secret), marker), text)
