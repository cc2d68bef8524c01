import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Answer } from "./Call.ts"
import { excerpt, oneLine } from "./Excerpt.ts"
import type { Scrub } from "./Scrub.ts"

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
export const readErrorAnswer = (answer: Answer, scrub: Scrub): ErrorAnswer => {
  const body = Option.getOrUndefined(decodeErrorBody(answer.body))
  const words = firstWords([body?.error, body?.message, body?.detail])
  // JSON without words is not shown: nobody knows what it holds.
  const detail =
    words !== undefined
      ? oneLine(withoutCode(words), scrub)
      : body === undefined && !/^\s*[[{]/.test(answer.body)
        ? excerpt(answer.body, scrub)
        : ""
  const requestId = firstWords([body?.requestId, answer.headers["x-request-id"]])
  return {
    ...(detail === "" ? {} : { detail }),
    ...(requestId === undefined ? {} : { requestId: oneLine(requestId, scrub) })
  }
}
