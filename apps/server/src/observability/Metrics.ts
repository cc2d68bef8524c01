import { errorStatuses } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { RequestLimits } from "../access/RequestLimits.ts"
import { UnderWay, type Unread, type Watcher } from "../http/RequestLog.ts"
import { AccessLog } from "./AccessLog.ts"
import { registerProcessMetrics } from "./processMetrics.ts"

/** Seconds: from a read that is in memory to a store that is about to be given up on. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// A caller may send any of the methods that Node knows; those of no route are counted as one.
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const unavailableStatuses: ReadonlySet<number> = new Set([
  errorStatuses.BAD_GATEWAY,
  errorStatuses.UNAVAILABLE,
  errorStatuses.GATEWAY_TIMEOUT
])

/** The route of a request whose path the server does not have. */
const noRoute = "none"

/** What is known of a method on a route. Plain numbers, read when they are asked for: a request pays for no more. */
interface Series {
  readonly requests: Map<number, { count: number }>
  /** How many took at most so long as the boundary of that number, and longer than the one before. */
  readonly buckets: Uint32Array
  count: number
  seconds: number
  shortest: number
  longest: number
}

const ignored = { update: () => {}, modify: () => {} }

const stateOf = ({ buckets, count, longest, seconds, shortest }: Series): Metric.HistogramState => {
  let cumulated = 0
  return {
    buckets: boundaries.map((boundary, index) => [boundary, (cumulated += buckets[index] ?? 0)]),
    count,
    min: shortest,
    max: longest,
    sum: seconds
  }
}

const took = (series: Series, seconds: number): void => {
  let bucket = 0
  while (seconds > (boundaries[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
  // There is one more than there are boundaries.
  series.buckets[bucket]!++
  series.count++
  series.seconds += seconds
  series.shortest = Math.min(series.shortest, seconds)
  series.longest = Math.max(series.longest, seconds)
}

/** What is counted of requests. Labels come from the contract, never from a caller. */
export const httpMetrics = (context: Context.Context<never>, underWay: UnderWay) => {
  const counter = (name: string, description: string, attributes: Metric.Metric.AttributeSet = {}) => {
    const state = { count: 0 }
    Metric.registerUnsafe(Metric.counter(name, { description, incremental: true, attributes }), context, {
      get: () => ({ count: state.count, incremental: true }),
      ...ignored
    })
    return state
  }

  const byRoute = new Map<string, Map<string, Series>>()
  const seriesOf = (method: string, route: string): Series => {
    const byMethod = byRoute.get(route) ?? new Map<string, Series>()
    const found = byMethod.get(method)
    if (found !== undefined) return found
    const series: Series = {
      requests: new Map(),
      buckets: new Uint32Array(boundaries.length + 1),
      count: 0,
      seconds: 0,
      shortest: Number.POSITIVE_INFINITY,
      longest: 0
    }
    Metric.registerUnsafe(
      Metric.histogram("headgate_http_request_duration_seconds", {
        description: "From a request's arrival until its answer was made",
        boundaries,
        attributes: { method, route }
      }),
      context,
      { get: () => stateOf(series), ...ignored }
    )
    byRoute.set(route, byMethod.set(method, series))
    return series
  }

  const count = (series: Series, method: string, route: string, status: number): void => {
    let requests = series.requests.get(status)
    if (requests === undefined) {
      requests = counter(
        "headgate_http_requests_total",
        "Requests by what was answered; 499: nothing, the caller hung up or was cut off",
        { method, route, status: String(status) }
      )
      series.requests.set(status, requests)
    }
    requests.count++
  }

  const unavailable = counter(
    "headgate_unavailable_total",
    "Requests that the store, or what stands behind the server, kept from being served: 502, 503 and 504"
  )
  Metric.registerUnsafe(
    Metric.gauge("headgate_http_requests_in_flight", {
      description: "Requests that are being answered, the one for these figures among them"
    }),
    context,
    { get: () => ({ value: underWay.count }), ...ignored }
  )

  const watcher: Watcher = ({ milliseconds, request, response: { status }, route: known }) =>
    Effect.sync(() => {
      const method = methods.has(request.method) ? request.method : "other"
      const route = known ?? noRoute
      const series = seriesOf(method, route)
      count(series, method, route, status)
      took(series, milliseconds / 1000)
      if (unavailableStatuses.has(status)) unavailable.count++
    })

  const unreadWatcher = ({ status }: Unread): void => count(seriesOf("none", noRoute), "none", noRoute, status)

  return { watcher, unreadWatcher }
}

/** The limits, with every failed login counted in the metrics. */
export const countedLogins = <E, R>(limits: Layer.Layer<RequestLimits, E, R>) =>
  Layer.effect(
    RequestLimits,
    Effect.zipWith(RequestLimits, Metrics, (limits, { countFailedLogin }) => ({
      ...limits,
      afterFailedLogin: (address: string) => Effect.andThen(countFailedLogin, limits.afterFailedLogin(address))
    }))
  ).pipe(Layer.provide(limits))

const failedLogins = Metric.counter("headgate_failed_logins_total", {
  description: "Credentials that were not let in",
  incremental: true
})

/** What a server tells of itself, in figures. */
export class Metrics extends Context.Service<
  Metrics,
  {
    readonly watcher: Watcher
    readonly unreadWatcher: (unread: Unread) => void
    /** Counts credentials that were not let in. */
    readonly countFailedLogin: Effect.Effect<void>
    /** All of it as Prometheus reads it. */
    readonly text: Effect.Effect<string>
  }
>()("headgate-server/telemetry/Metrics") {
  /** The figures of this process. `attributes` are told with each, so that those of several can be told apart. */
  static readonly layer = (attributes: Metric.Metric.AttributeSet = {}) =>
    Layer.effect(
      Metrics,
      Effect.gen(function* () {
        // A registry of its own: nothing is told that is not meant to be.
        const context = Context.make(Metric.MetricRegistry, new Map()).pipe(
          Context.add(Metric.CurrentMetricAttributes, attributes)
        )
        const { dropped } = yield* AccessLog
        const { unreadWatcher, watcher } = httpMetrics(context, yield* UnderWay)
        const { reset } = yield* registerProcessMetrics(context)
        failedLogins.updateUnsafe(0, context)
        Metric.registerUnsafe(
          Metric.counter("headgate_access_log_dropped_total", {
            description: "Lines of the access log that were not written, since their reader was too slow or gone",
            incremental: true
          }),
          context,
          { get: () => ({ count: dropped(), incremental: true }), update: () => {}, modify: () => {} }
        )
        return {
          watcher,
          unreadWatcher,
          countFailedLogin: Effect.sync(() => failedLogins.updateUnsafe(1, context)),
          text: Effect.sync(() => {
            const text = PrometheusMetrics.formatUnsafe(context)
            reset()
            return text
          })
        }
      })
    )
}
