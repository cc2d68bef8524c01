import { TimeoutError } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { doubtAbout, type Exchange, reportOf } from "./Call.ts"

/** Gives up on a whole call, attempts, pauses and turns together, and aborts what is under way. */
export const deadline =
  (exchange: Exchange): Exchange =>
  (call) => {
    const { deadline } = call.manners
    if (!Duration.isFinite(deadline)) return exchange(call)
    return Effect.timeoutOrElse(exchange(call), {
      duration: deadline,
      orElse: () => {
        const report = reportOf(call)
        const limit = Duration.format(deadline)
        const message =
          report.attempts === 0
            ? `not sent within the deadline of ${limit}`
            : `no answer within the deadline of ${limit}${doubtAbout(call)}`
        return Effect.fail(new TimeoutError({ message, ...report }))
      }
    })
  }
