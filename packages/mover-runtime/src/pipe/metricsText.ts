import type { PipeId } from "@headgate/core"
import type { PipeMetrics } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { metricsOf } from "./metrics.ts"
import type { LivePipe } from "./LivePipe.ts"

/** How many sources are asked for their lag at the same time. */
const atOnce = 8

const families = [
  ["headgate_pipe_rows_total", "counter", "Rows that a pipe has read and delivered"],
  ["headgate_pipe_bytes_total", "counter", "Bytes of the rows that a pipe has read and delivered"],
  ["headgate_pipe_bad_rows_total", "counter", "Rows that the destination rejected, which are in the error table"],
  ["headgate_pipe_lag_rows", "gauge", "Rows that the source holds and the pipe has not read"],
  ["headgate_pipe_unknown_fields", "gauge", "Fields of rows for which the destination has no column"],
  ["headgate_pipe_changed_objects", "gauge", "Objects that have changed since they were read, and are not read again"],
  ["headgate_pipe_rejected_objects_total", "counter", "Objects that are in the error table whole, by their keys"],
  ["headgate_pipe_empty_objects_total", "counter", "Objects that have bytes and no row"],
  ["headgate_pipe_list_seconds", "gauge", "How long the last list of all objects took"],
  ["headgate_pipe_next_list_timestamp_seconds", "gauge", "When the next list of all objects begins"],
  ["headgate_pipe_warnings", "gauge", "Warnings in the status of a pipe"],
  ["headgate_pipe_info", "gauge", "The state of a pipe; always 1"]
] as const

/** A line for each pipe of which a value is known. */
const whereKnown = (
  pipes: ReadonlyArray<{ readonly id: PipeId; readonly metrics: PipeMetrics }>,
  value: (metrics: PipeMetrics) => number | null | undefined
): ReadonlyArray<string> =>
  pipes.flatMap(({ metrics, id }) => {
    const known = value(metrics)
    return known === null || known === undefined ? [] : [`{pipe="${id}"} ${known}`]
  })

const escape = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

/** The metrics of the pipes that this process moves, in the Prometheus text format. */
export const metricsText = Effect.fnUntraced(function* (running: ReadonlyMap<PipeId, LivePipe>) {
  const pipes = yield* Effect.forEach(
    Array.from(running),
    ([id, live]) => Effect.map(metricsOf(live), (metrics) => ({ id, live, metrics })),
    { concurrency: atOnce }
  )
  const series: { readonly [Name in (typeof families)[number][0]]: ReadonlyArray<string> } = {
    headgate_pipe_rows_total: pipes.map(({ metrics, id }) => `{pipe="${id}"} ${metrics.rows ?? 0}`),
    headgate_pipe_bytes_total: pipes.map(({ metrics, id }) => `{pipe="${id}"} ${metrics.bytes ?? 0}`),
    headgate_pipe_bad_rows_total: pipes.map(({ metrics, id }) => `{pipe="${id}"} ${metrics.errors ?? 0}`),
    headgate_pipe_lag_rows: whereKnown(pipes, ({ lag }) => lag),
    headgate_pipe_unknown_fields: pipes.map(
      ({ metrics, id }) => `{pipe="${id}"} ${metrics.unknownFields?.length ?? 0}`
    ),
    headgate_pipe_changed_objects: pipes.map(({ metrics, id }) => `{pipe="${id}"} ${metrics.skippedKeys ?? 0}`),
    headgate_pipe_rejected_objects_total: whereKnown(pipes, ({ rejectedObjects }) => rejectedObjects?.count),
    headgate_pipe_empty_objects_total: whereKnown(pipes, ({ emptyObjects }) => emptyObjects?.count),
    headgate_pipe_list_seconds: whereKnown(pipes, ({ listSeconds }) => listSeconds),
    headgate_pipe_next_list_timestamp_seconds: whereKnown(
      pipes,
      ({ nextList }) => nextList && DateTime.toEpochMillis(nextList) / 1000
    ),
    headgate_pipe_warnings: pipes.map(({ metrics, id }) => `{pipe="${id}"} ${metrics.warnings?.length ?? 0}`),
    headgate_pipe_info: pipes.map(
      ({ id, live }) =>
        `{pipe="${id}",state="${escape(live.reported?.state ?? live.record.pipe.state ?? "Provisioning")}"} 1`
    )
  }
  const latency = pipes.flatMap(({ id, live }) => [
    `headgate_pipe_batch_seconds_sum{pipe="${id}"} ${live.status?.insertSeconds ?? 0}`,
    `headgate_pipe_batch_seconds_count{pipe="${id}"} ${live.status?.ranges ?? 0}`
  ])
  const lines = families.flatMap(([name, type, help]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...series[name].map((one) => `${name}${one}`)
  ])
  const summary = "headgate_pipe_batch_seconds"
  return [
    ...lines,
    `# HELP ${summary} How long the inserts of batches take`,
    `# TYPE ${summary} summary`,
    ...latency,
    ""
  ].join("\n")
})
