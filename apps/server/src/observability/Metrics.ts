import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { RequestLimits } from "../access/RequestLimits.ts"
import { InFlight, type ParseError, type RequestObserver } from "../http/RequestLog.ts"
import { AccessLog } from "./AccessLog.ts"
import { httpMetrics } from "./httpMetrics.ts"
import { registerProcessMetrics } from "./registerProcessMetrics.ts"

const failedLogins = Metric.counter("headgate_failed_logins_total", {
  description: "Requests whose credentials were rejected",
  incremental: true
})

// A caller chooses the names, so only the first of them get a series each.
const maxFields = 100

/** Requests that were refused for an unknown field, by its name. */
const refusedFieldCounter = (context: Context.Context<never>) => {
  const known = new Set<string>()
  const add = (field: string, count: number): void =>
    Metric.counter("headgate_refused_fields_total", {
      description: "Unknown fields of sources for which requests were refused; other: beyond the first 100 names",
      incremental: true,
      attributes: { field }
    }).updateUnsafe(count, context)
  // So that the metric is there before a field is refused.
  add("other", 0)
  return (field: string): void => {
    if (known.size < maxFields) known.add(field)
    add(known.has(field) ? field : "other", 1)
  }
}

const droppedLines = Metric.counter("headgate_access_log_dropped_total", {
  description: "Lines of the access log that were dropped because stdout was read too slowly or was closed",
  incremental: true
})

/** The metrics of this process. */
export class Metrics extends Context.Service<
  Metrics,
  {
    readonly observer: RequestObserver
    readonly parseErrorObserver: (unread: ParseError) => void
    readonly countFailedLogin: Effect.Effect<void>
    readonly countRefusedField: (field: string) => Effect.Effect<void>
    /** Adds metrics to `text`, in its format. */
    readonly add: (more: Effect.Effect<string>) => void
    /** All metrics in the Prometheus text format. */
    readonly text: Effect.Effect<string>
  }
>()("headgate-server/observability/Metrics") {
  static readonly layer = Layer.effect(
    Metrics,
    Effect.gen(function* () {
      // A registry of its own, so that no other metric of this process is published.
      const context = Context.make(Metric.MetricRegistry, new Map())
      const { dropped } = yield* AccessLog
      const observers = httpMetrics(context, yield* InFlight)
      const { reset } = yield* registerProcessMetrics(context)
      const countField = refusedFieldCounter(context)
      const more: Array<Effect.Effect<string>> = []
      failedLogins.updateUnsafe(0, context)
      Metric.registerUnsafe(droppedLines, context, {
        get: () => ({ count: dropped(), incremental: true }),
        update: () => {},
        modify: () => {}
      })
      return {
        ...observers,
        countFailedLogin: Effect.sync(() => failedLogins.updateUnsafe(1, context)),
        countRefusedField: (field: string) => Effect.sync(() => countField(field)),
        add: (one: Effect.Effect<string>) => void more.push(one),
        text: Effect.gen(function* () {
          const text = PrometheusMetrics.formatUnsafe(context)
          reset()
          return [text, ...(yield* Effect.all(more))].join("")
        })
      }
    })
  )
}

/** Rate limits that also count each failed login in the metrics. */
export const countFailedLogins = <E, R>(limits: Layer.Layer<RequestLimits, E, R>) =>
  Layer.effect(
    RequestLimits,
    Effect.zipWith(RequestLimits, Metrics, (limits, { countFailedLogin }) => ({
      ...limits,
      afterFailedLogin: (address: string, keyId: string) =>
        Effect.andThen(countFailedLogin, limits.afterFailedLogin(address, keyId))
    }))
  ).pipe(Layer.provide(limits))
