import {
  type CallError,
  Conflict,
  Forbidden,
  InvalidRequest,
  RateLimited,
  ServerError,
  TimeoutError,
  Unauthorized,
  UnexpectedResponse
} from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Answer, type Attempt, type AttemptFailure, type Call, doubtAbout, reportOf } from "./Call.ts"
import { readErrorAnswer } from "./ErrorAnswer.ts"
import { oneLine } from "./Excerpt.ts"
import { retryAfterOf } from "./RetryAfter.ts"
import type { Scrub } from "./Scrub.ts"

// fetch in a browser hides a redirect that it did not follow behind status 0.
const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status < 400)

const redirectTarget = (answer: Answer, scrub: Scrub): string => {
  const location = answer.headers["location"]
  // The origin alone: a path or a query may hold what was sent, spelled in a way that nobody knows again.
  return location !== undefined && URL.canParse(location) ? ` to ${oneLine(new URL(location).origin, scrub)}` : ""
}

const errorOf = (call: Call, answer: Answer, scrub: Scrub, retryAfter: Duration.Duration | undefined): CallError => {
  const { status } = answer
  const { detail, requestId } = readErrorAnswer(answer, scrub)
  const fields = (summary: string, advice = "") => ({
    message: `${summary}${detail === undefined ? "" : `: ${detail}`}${advice}`,
    status,
    ...(requestId === undefined ? {} : { requestId }),
    ...reportOf(call)
  })
  if (isRedirect(status)) {
    const summary = `the service redirects${redirectTarget(answer, scrub)}, which is not followed: check the base URL`
    return new UnexpectedResponse(fields(summary))
  }
  const wait = retryAfter === undefined ? {} : { retryAfter }
  if (status >= 500) {
    return new ServerError({ ...fields(`the service failed (HTTP ${status})`, doubtAbout(call)), ...wait })
  }
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return new InvalidRequest({ ...fields("the service refuses the request"), issues: [] })
    case 401:
      return new Unauthorized(
        fields("the service does not accept the credentials", "; check that they are complete, enabled and not expired")
      )
    case 403:
      return new Forbidden(
        fields("the credentials do not allow this", "; check the key's roles, organization and IP access list")
      )
    case 408:
      return new TimeoutError(fields("the service gave up waiting for the request", doubtAbout(call)))
    case 409:
      return new Conflict(fields("the service cannot do this now"))
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

const failureOf = (call: Call, answer: Answer, scrub: Scrub, now: number): AttemptFailure => {
  const retryAfter = retryAfterOf(answer, now)
  return { error: errorOf(call, answer, scrub, retryAfter), ...(retryAfter === undefined ? {} : { retryAfter }) }
}

/**
 * Turns every answer that is no success into the error of the domain that it stands for. A 404 is left to the
 * operation, which knows what was not found.
 */
export const status =
  (scrub: Scrub) =>
  (attempt: Attempt): Attempt =>
  (call) =>
    Effect.flatMap(attempt(call), (answer) =>
      answer.status >= 200 && answer.status < 300
        ? Effect.succeed(answer)
        : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(failureOf(call, answer, scrub, now)))
    )
