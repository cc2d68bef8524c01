import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { Attempt } from "../Attempt.ts"
import type { Observer } from "../Observer.ts"
import { countAttempts, countRetry, measureCalls } from "./Metrics.ts"

/** Notes on the span of the port method how often it was sent, and the status of its answer. */
const annotateSpan =
  (attempt: Attempt): Attempt =>
  (call) =>
    Effect.andThen(
      Effect.suspend(() => Effect.annotateCurrentSpan("headgate.attempts", MutableRef.get(call.attempts) + 1)),
      Effect.tap(attempt(call), ({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status))
    )

/** Spans, metrics and logs of Effect. */
export const telemetry: Observer = {
  method: (name, body) => Effect.fn(name)(body),
  exchange: annotateSpan,
  attempt: countAttempts,
  call: measureCalls,
  retry: (call, { error }, retry, delay) =>
    Effect.andThen(
      countRetry(call, error),
      Effect.logDebug(`retry ${retry} in ${Duration.format(Duration.millis(delay))}: ${error.message}`)
    ),
  warn: Effect.logWarning
}
