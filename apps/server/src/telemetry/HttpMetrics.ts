import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { errorStatuses } from "@headgate/http-contract"
import type { Unread, UnderWay, Watcher } from "../http/Exchange.ts"
import { noRoute } from "../http/RouteTemplates.ts"

/** Seconds: from a read that is in memory to a store that is about to be given up on. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// A caller may send any of the methods that Node knows; those of no route are counted as one.
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

interface Series {
  readonly requests: Metric.Counter<number>
  readonly duration: Metric.Histogram<number>
}

/** What is counted of requests. Labels come from the contract, never from a caller. */
export const httpMetrics = (
  context: Context.Context<never>,
  templateOf: (url: string) => string,
  underWay: UnderWay
) => {
  const known = new Map<string, Series>()
  const seriesOf = (method: string, route: string, status: number): Series => {
    const name = `${method} ${status} ${route}`
    const found = known.get(name)
    if (found !== undefined) return found
    const series = {
      requests: Metric.counter("headgate_http_requests_total", {
        description: "Requests by what was answered; 499: nothing, the caller hung up or was cut off",
        incremental: true,
        attributes: { method, route, status: String(status) }
      }),
      duration: Metric.histogram("headgate_http_request_duration_seconds", {
        description: "From a request's arrival until its answer was made",
        boundaries,
        attributes: { method, route }
      })
    }
    known.set(name, series)
    return series
  }
  const unavailable = Metric.counter("headgate_unavailable_total", {
    description: "Requests that the store, or what stands behind the server, kept from being served",
    incremental: true
  })
  unavailable.updateUnsafe(0, context)
  Metric.registerUnsafe(
    Metric.gauge("headgate_http_requests_in_flight", {
      description: "Requests that are being answered, the one for these figures among them"
    }),
    context,
    { get: () => ({ value: underWay.count }), update: () => {}, modify: () => {} }
  )

  const watcher: Watcher = ({ milliseconds, request, response }) =>
    Effect.sync(() => {
      const method = methods.has(request.method) ? request.method : "other"
      const series = seriesOf(method, templateOf(request.url), response.status)
      series.requests.updateUnsafe(1, context)
      series.duration.updateUnsafe(milliseconds / 1000, context)
      if (response.status === errorStatuses.UNAVAILABLE) unavailable.updateUnsafe(1, context)
    })

  const unreadWatcher = ({ status }: Unread): void =>
    seriesOf("none", noRoute, status).requests.updateUnsafe(1, context)

  return { watcher, unreadWatcher }
}
