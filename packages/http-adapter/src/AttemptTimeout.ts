import { TimeoutError } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Attempt, doubtAbout, reportOf } from "./Call.ts"

/** Gives up on an attempt, and aborts it, when its answer is not read to the end in time. */
export const attemptTimeout =
  (attempt: Attempt): Attempt =>
  (call) => {
    const { attemptTimeout } = call.manners
    if (!Duration.isFinite(attemptTimeout)) return attempt(call)
    return Effect.timeoutOrElse(attempt(call), {
      duration: attemptTimeout,
      orElse: () => {
        const message = `no answer within ${Duration.format(attemptTimeout)}${doubtAbout(call)}`
        return Effect.fail({ error: new TimeoutError({ message, ...reportOf(call) }) })
      }
    })
  }
