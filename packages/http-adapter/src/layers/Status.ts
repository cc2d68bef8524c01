import {
  type CallError,
  Conflict,
  FailedDependency,
  Forbidden,
  InvalidRequest,
  PreconditionFailed,
  RateLimited,
  ServerError,
  TimeoutError,
  Unauthorized,
  UnexpectedResponse
} from "@headgate/core"
import type { ApiName } from "@headgate/http-contract"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ambiguityNote, type Answer, type Attempt, type AttemptFailure, type Call, errorContext } from "../Attempt.ts"
import { oneLine, readErrorAnswer, type Redactor } from "../ErrorAnswer.ts"

// Smaller numbers are seconds to wait. 1e9 seconds are 31 years, and as an epoch time the year 2001: larger numbers are
// epoch seconds, and from 1e12 epoch milliseconds.
const leastEpochSeconds = 1e9
const leastEpochMillis = 1e12

const untilReset = (header: string | undefined, now: number): Duration.Duration | undefined => {
  const reset = header === undefined || header.trim() === "" ? Number.NaN : Number(header)
  if (!Number.isFinite(reset) || reset < 0) return undefined
  if (reset < leastEpochSeconds) return Duration.seconds(reset)
  return Duration.millis(Math.max(0, (reset < leastEpochMillis ? reset * 1000 : reset) - now))
}

// The three forms of RFC 9110, of which services write the first. `Date.parse` reads far more.
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2}) [\d:]{8} GMT$/
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/

/** A `Retry-After` in whole seconds or as a date; `undefined` if it cannot be read. */
const readRetryAfter = (header: string | undefined, now: number): Duration.Duration | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Duration.seconds(Number(text))
  const date = httpDate.test(text) ? text : asctimeDate.test(text) ? `${text} GMT` : ""
  const millis = Date.parse(date)
  return Number.isNaN(millis) ? undefined : Duration.millis(Math.max(0, millis - now))
}

/**
 * How long the service asks to wait: `Retry-After`, in seconds or as a date; else, on a 429, `X-RateLimit-Reset`, in
 * seconds from now or as an epoch time in seconds or milliseconds. `now` is in epoch milliseconds. A value that cannot be
 * read counts as absent.
 */
const retryAfterOf = ({ headers, status }: Answer, now: number): Duration.Duration | undefined => {
  const retryAfter = readRetryAfter(headers["retry-after"], now)
  return retryAfter === undefined && status === 429 ? untilReset(headers["x-ratelimit-reset"], now) : retryAfter
}

// In a browser, fetch reports a redirect that it did not follow as status 0.
const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status < 400)

const redirectTarget = (answer: Answer, redact: Redactor): string => {
  const location = answer.headers["location"]
  // Only the origin: a path or a query may contain the credentials in a spelling that the redactor does not know.
  return location !== undefined && URL.canParse(location) ? ` to ${oneLine(new URL(location).origin, redact)}` : ""
}

// A token belongs to a person, and no path of its API names an organization.
const forbiddenAdvice: Readonly<Record<ApiName, string>> = {
  management: "check the key's roles, organization and IP access list",
  observability: "check the role of the token's owner and the IP access list"
}

const errorOf = (
  call: Call,
  answer: Answer,
  redact: Redactor,
  retryAfter: Duration.Duration | undefined
): CallError => {
  const { status } = answer
  const { detail, issues, requestId } = readErrorAnswer(answer, redact)
  const fields = (summary: string, hint = "") => ({
    message: `${summary}${detail === undefined ? "" : `: ${detail}`}${hint}`,
    status,
    ...(requestId === undefined ? {} : { requestId }),
    ...errorContext(call)
  })
  if (isRedirect(status)) {
    const summary = `the service redirects${redirectTarget(answer, redact)}, which is not followed: check the base URL`
    return new UnexpectedResponse(fields(summary))
  }
  const wait = retryAfter === undefined ? {} : { retryAfter }
  if (status >= 500) {
    return new ServerError({ ...fields(`the service failed (HTTP ${status})`, ambiguityNote(call)), ...wait })
  }
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return new InvalidRequest({ ...fields("the service refuses the request"), issues })
    case 401:
      return new Unauthorized(
        fields("the service does not accept the credentials", "; check that they are complete, enabled and not expired")
      )
    case 403:
      return new Forbidden(fields("the credentials do not allow this", `; ${forbiddenAdvice[call.api]}`))
    case 408:
      return new TimeoutError(fields("the service gave up waiting for the request", ambiguityNote(call)))
    case 409:
      return new Conflict({ ...fields("the service cannot do this now"), ...wait })
    case 412:
      return new PreconditionFailed(fields("the resource has changed"))
    case 424:
      // A service that sleeps, a warehouse that is away, a server without charts: the answer says which.
      return new FailedDependency(
        fields(
          "the service lacks what this request needs",
          detail === undefined ? "; check that the database service is running" : ""
        )
      )
    case 429:
      return new RateLimited({
        ...fields(
          "too many requests",
          retryAfter === undefined ? "; wait, then try again" : `; try again in ${Duration.format(retryAfter)}`
        ),
        ...wait
      })
    default:
      return new UnexpectedResponse(fields(`the service answers with HTTP status ${status}`))
  }
}

const failureOf = (call: Call, answer: Answer, redact: Redactor, now: number): AttemptFailure => {
  const retryAfter = retryAfterOf(answer, now)
  return { error: errorOf(call, answer, redact, retryAfter), ...(retryAfter === undefined ? {} : { retryAfter }) }
}

/**
 * Turns every answer that is not 2xx into its error. A 404 becomes `UnexpectedResponse` here; `call` turns it into the
 * error that the operation has for it.
 */
export const status =
  (redact: Redactor) =>
  (attempt: Attempt): Attempt =>
  (call) =>
    Effect.flatMap(attempt(call), (answer) =>
      answer.status >= 200 && answer.status < 300
        ? Effect.succeed(answer)
        : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(failureOf(call, answer, redact, now)))
    )
