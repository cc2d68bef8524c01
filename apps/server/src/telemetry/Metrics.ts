import type { Api } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FindMyWay from "effect/http/FindMyWay"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { type Unread, UnderWay, type Watcher } from "../http/Exchange.ts"
import { routeTemplates } from "../http/RouteTemplates.ts"
import { AccessLog } from "../log/AccessLog.ts"
import { httpMetrics } from "./HttpMetrics.ts"
import { registerProcessMetrics } from "./processMetrics.ts"

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
  static readonly layer = (
    api: Api,
    routerConfig: Partial<FindMyWay.RouterConfig>,
    attributes: Metric.Metric.AttributeSet = {}
  ) =>
    Layer.effect(
      Metrics,
      Effect.gen(function* () {
        // A registry of its own: nothing is told that is not meant to be.
        const context = Context.make(Metric.MetricRegistry, new Map()).pipe(
          Context.add(Metric.CurrentMetricAttributes, attributes)
        )
        const { dropped } = yield* AccessLog
        const { unreadWatcher, watcher } = httpMetrics(context, routeTemplates(api, routerConfig), yield* UnderWay)
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
