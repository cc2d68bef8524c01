import { errorStatuses } from "@headgate/http-contract"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { InFlight, ParseError, RequestObserver } from "../http/RequestLog.ts"

/** Upper bounds of the histogram's buckets, in seconds. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// A caller may send any method that Node parses: the others get one label.
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** The label of requests to no route. */
const noRoute = "none"

const unavailableStatuses: ReadonlySet<number> = new Set([
  errorStatuses.BAD_GATEWAY,
  errorStatuses.UNAVAILABLE,
  errorStatuses.GATEWAY_TIMEOUT
])

/** The measurements of one method of one route. Plain numbers, so that a request costs little; a scrape formats them. */
interface Series {
  readonly requests: Map<number, { count: number }>
  /** Requests by the first boundary that is not below their duration; the last element is for longer ones. */
  readonly buckets: Uint32Array
  count: number
  seconds: number
  shortest: number
  longest: number
}

const emptySeries = (): Series => ({
  requests: new Map(),
  buckets: new Uint32Array(boundaries.length + 1),
  count: 0,
  seconds: 0,
  shortest: Number.POSITIVE_INFINITY,
  longest: 0
})

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

const addDuration = (series: Series, seconds: number): void => {
  let bucket = 0
  while (seconds > (boundaries[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
  // The array has one element more than there are boundaries.
  series.buckets[bucket]!++
  series.count++
  series.seconds += seconds
  series.shortest = Math.min(series.shortest, seconds)
  series.longest = Math.max(series.longest, seconds)
}

const readOnly = { update: () => {}, modify: () => {} }

/** Registers the metrics of requests. Returns the observers that count. Labels come from the contract, never from a caller. */
export const httpMetrics = (context: Context.Context<never>, inFlight: InFlight) => {
  const counter = (name: string, description: string, attributes: Metric.Metric.AttributeSet = {}) => {
    const state = { count: 0 }
    Metric.registerUnsafe(Metric.counter(name, { description, incremental: true, attributes }), context, {
      get: () => ({ count: state.count, incremental: true }),
      ...readOnly
    })
    return state
  }

  const byRoute = new Map<string, Map<string, Series>>()
  const seriesOf = (method: string, route: string): Series => {
    const byMethod = byRoute.get(route) ?? new Map<string, Series>()
    const found = byMethod.get(method)
    if (found !== undefined) return found
    const series = emptySeries()
    Metric.registerUnsafe(
      Metric.histogram("headgate_http_request_duration_seconds", {
        description: "From the arrival of a request until its response was ready",
        boundaries,
        attributes: { method, route }
      }),
      context,
      { get: () => stateOf(series), ...readOnly }
    )
    byRoute.set(route, byMethod.set(method, series))
    return series
  }

  const count = (series: Series, method: string, route: string, status: number): void => {
    let requests = series.requests.get(status)
    if (requests === undefined) {
      requests = counter("headgate_http_requests_total", "Requests by status; 499: the caller hung up or was cut off", {
        method,
        route,
        status: String(status)
      })
      series.requests.set(status, requests)
    }
    requests.count++
  }

  const unavailable = counter(
    "headgate_unavailable_total",
    "Requests that failed because the store or the upstream did: 502, 503 and 504"
  )
  Metric.registerUnsafe(
    Metric.gauge("headgate_http_requests_in_flight", {
      description: "Requests in flight, including the one that reads these metrics"
    }),
    context,
    { get: () => ({ value: inFlight.count }), ...readOnly }
  )

  const observer: RequestObserver = ({ milliseconds, request, response: { status }, route = noRoute }) =>
    Effect.sync(() => {
      const method = methods.has(request.method) ? request.method : "other"
      const series = seriesOf(method, route)
      count(series, method, route, status)
      addDuration(series, milliseconds / 1000)
      if (unavailableStatuses.has(status)) unavailable.count++
    })

  const parseErrorObserver = ({ status }: ParseError): void => count(seriesOf("none", noRoute), "none", noRoute, status)

  return { observer, parseErrorObserver }
}
