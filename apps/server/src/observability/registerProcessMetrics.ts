import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"

// Defined by the build, from package.json.
declare const HEADGATE_VERSION: string

/** The sampling interval of the event loop delay, in milliseconds. */
const resolution = 20

const ignored = { update: () => {}, modify: () => {} }

/**
 * Registers metrics of the process, which are read at each scrape, under the names that Prometheus client libraries use.
 * `reset` starts a new measurement of the event loop delay; there is none before it was called.
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

  gauge("headgate_build_info", "Version of the server and of Node; always 1", () => 1, {
    version: HEADGATE_VERSION,
    node: process.versions.node
  })
  gauge(
    "process_start_time_seconds",
    "Start of the process, in seconds since 1970",
    () => performance.timeOrigin / 1000
  )
  gauge("process_resident_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss())
  counter("process_cpu_seconds_total", "CPU time of the process", () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  })
  gauge("nodejs_heap_size_used_bytes", "Used JavaScript heap", () => process.memoryUsage().heapUsed)
  counter(
    "nodejs_eventloop_active_seconds_total",
    "Time in which the event loop was active; its rate is the utilization",
    () => performance.eventLoopUtilization().active / 1000
  )

  return Effect.acquireRelease(
    // Not enabled: it wakes the process fifty times a second, which nobody needs who does not read the metrics.
    Effect.sync(() => monitorEventLoopDelay({ resolution })),
    (delay) => Effect.sync(() => delay.disable())
  ).pipe(
    Effect.map((delay) => {
      // Node adds the sampling interval to each delay.
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000) || 0
      for (const quantile of [50, 99]) {
        gauge(
          "nodejs_eventloop_lag_seconds",
          "Delay of the event loop since the last scrape; 0 at the first",
          () => seconds(delay.percentile(quantile)),
          { quantile: String(quantile / 100) }
        )
      }
      return {
        reset: () => {
          delay.enable()
          delay.reset()
        }
      }
    })
  )
}
