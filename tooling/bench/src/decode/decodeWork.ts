import type * as Schema from "effect/Schema"
import { fullPipe } from "../document/fullPipe.ts"
import { wrongPipes } from "../document/wrongPipes.ts"
import type { Work } from "../measure/Contestant.ts"

/** A way to read a parsed pipe. It throws on one that is wrong. */
export interface Decoder {
  readonly decode: (parsed: unknown) => unknown
  /** Turns what was decoded back: instants into their text, secrets into the clear. Default: it is the document still. */
  readonly toDocument?: (decoded: unknown) => unknown
  /** Whether it looks at what it reads at all. Default true. */
  readonly checks?: boolean
}

const throws = (decode: (parsed: unknown) => unknown, parsed: unknown): boolean => {
  try {
    decode(parsed)
    return false
  } catch {
    return true
  }
}

/**
 * What is decoded last is kept here: a result that nobody looks at, a compiler may not make at all.
 *
 * @public
 */
export let last: unknown

/** The decoding of the full pipe, again and again. */
export const decodeWork = ({ checks = true, decode, toDocument = (decoded) => decoded }: Decoder): Work => ({
  // The verifier compares it with the document: whatever it is.
  once: async () => toDocument(decode(structuredClone(fullPipe))) as Schema.Json,
  accepted: async () =>
    checks
      ? Object.entries(wrongPipes)
          .filter(([, pipe]) => !throws(decode, pipe))
          .map(([name]) => name)
      : [],
  repeat: (times) => {
    for (let index = 0; index < times; index++) last = decode(fullPipe)
  }
})
