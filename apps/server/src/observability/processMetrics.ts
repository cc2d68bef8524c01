import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"

// Put here by the build, from package.json.
declare const HEADGATE_VERSION: string

/** How often the event loop is asked whether it is late, in milliseconds. */
const resolution = 20

const ignored = { update: () => {}, modify: () => {} }

/**
 * What is told of the process itself, read when it is asked for. The names are those that Prometheus's own clients use.
 */
export const registerProcessMetrics = (context: Context.Context<never>) => {
  const gauge = (name: string, description: string, value: () => number, attributes: Metric.Metric.AttributeSet = {}) =>
    Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), context, {
      get: () => ({ value: value() }),
      ...ignored
    })
  const counter = (name: string, description: string, value: () => number) =>
    Metric.registerUnsafe(Metric.counter(name, { description, incremental: true }), context, {
      get: () => ({ count: value(), incremental: true }),
      ...ignored
    })

  gauge("headgate_build_info", "1: which build this is", () => 1, {
    version: HEADGATE_VERSION,
    node: process.versions.node
  })
  gauge("process_start_time_seconds", "When the process started, since 1970", () => performance.timeOrigin / 1000)
  gauge("process_resident_memory_bytes", "Memory of the process", () => process.memoryUsage.rss())
  counter("process_cpu_seconds_total", "CPU time of the process", () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  })
  gauge("nodejs_heap_size_used_bytes", "Memory that JavaScript uses", () => process.memoryUsage().heapUsed)
  counter(
    "nodejs_eventloop_active_seconds_total",
    "Time that the event loop was not waiting: its rate is how busy it is",
    () => performance.eventLoopUtilization().active / 1000
  )

  return Effect.acquireRelease(
    Effect.sync(() => {
      const delay = monitorEventLoopDelay({ resolution })
      delay.enable()
      return delay
    }),
    (delay) => Effect.sync(() => delay.disable())
  ).pipe(
    Effect.map((delay) => {
      // Node counts the time between two askings in.
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000) || 0
      for (const quantile of [50, 99]) {
        gauge(
          "nodejs_eventloop_lag_seconds",
          "How late the event loop was, since it was last asked",
          () => seconds(delay.percentile(quantile)),
          { quantile: String(quantile / 100) }
        )
      }
      return { reset: () => delay.reset() }
    })
  )
}
