import * as Arr from "effect/Array"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import { performance } from "node:perf_hooks"

/** In milliseconds. */
const minute = 60_000

// Lines are few; only an upstream's text can make them many.
const maxLines = 100

interface Repeated {
  readonly loggedAt: number
  count: number
}

/**
 * Logs a line of a request once a minute, then with how often it was repeated: while a database is away, every request has
 * the same line. Lines with a cause, and lines outside of requests, are all logged. `now` is a monotonic time in
 * milliseconds.
 */
export const onceAMinute = (
  logger: Logger.Logger<unknown, void>,
  now: () => number = () => performance.now()
): Logger.Logger<unknown, void> => {
  const lines = new Map<string, Repeated>()
  return Logger.make((options) => {
    const { cause, fiber, message } = options
    const parts = Arr.ensure(message)
    const [text] = parts
    const { requestId } = fiber.getRef(References.CurrentLogAnnotations)
    if (requestId === undefined || cause.reasons.length > 0 || parts.length !== 1 || !Predicate.isString(text)) {
      return logger.log(options)
    }
    const held = lines.get(text)
    if (held !== undefined && now() - held.loggedAt < minute) {
      held.count++
      return
    }
    if (lines.size >= maxLines) lines.clear()
    lines.set(text, { loggedAt: now(), count: 0 })
    const repeated = held === undefined || held.count === 0 ? "" : ` (and ${held.count} times since the last such line)`
    return logger.log({ ...options, message: `${text}${repeated}` })
  })
}
