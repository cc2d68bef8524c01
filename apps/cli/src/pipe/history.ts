import { escapeTerminalLine } from "@headgate/command-line"
import { type HistoryPoint, PipeHistory, Pipes } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { sparkline } from "../chart/sparkline.ts"
import { timeFlag } from "../chart/timeFlag.ts"
import { countText } from "../output/detailText.ts"
import { type Layout, tableText } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

/** The steps of a history as at most so many columns of whole steps: the points of each, oldest first. */
const columnsOf = (
  { from, points, stepSeconds, to }: PipeHistory,
  width: number
): ReadonlyArray<ReadonlyArray<HistoryPoint>> => {
  const step = stepSeconds * 1000
  const steps = Math.round((DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from)) / step)
  const each = Math.max(Math.ceil(steps / Math.max(width, 1)), 1)
  const columns: ReadonlyArray<Array<HistoryPoint>> = Array.from({ length: Math.ceil(steps / each) }, () => [])
  for (const point of points) {
    const index = (DateTime.toEpochMillis(point.at) - DateTime.toEpochMillis(from)) / step
    columns[Math.floor(index / each)]?.push(point)
  }
  return columns
}

const sumOf = (points: ReadonlyArray<HistoryPoint>, value: (point: HistoryPoint) => number): number =>
  points.reduce((sum, point) => sum + value(point), 0)

const minuteText = (time: DateTime.Utc): string => DateTime.formatIso(time).slice(0, 16).replace("T", " ")

/** The names of the lines have so many columns. */
const nameWidth = 6

/**
 * A history as lines of bars for a terminal: the rows of each step and the lag at its end, and what was delivered in all. Where nobody
 * moved the pipe, there is a gap.
 */
export const chartText = (history: PipeHistory, width: number): string => {
  const { from, points, stepSeconds, to } = history
  if (points.length === 0) return `Nobody moved the pipe from ${minuteText(from)} to ${minuteText(to)} UTC.`
  const columns = columnsOf(history, width - nameWidth)
  const rows = columns.map((held) => (held.length === 0 ? undefined : sumOf(held, (point) => point.rows)))
  const lags = columns.map((held) => held.at(-1)?.lag ?? undefined)
  const largest = Math.max(0, ...points.map(({ lag }) => lag ?? 0))
  const total = (value: (point: HistoryPoint) => number) => countText(sumOf(points, value))
  const last = points.at(-1)
  const line = (name: string, text: string) => `${name.padEnd(nameWidth)}${text}`.trimEnd()
  return [
    line("rows", sparkline(rows)),
    ...(lags.every((lag) => lag === undefined) ? [] : [line("lag", sparkline(lags))]),
    `${minuteText(from)} to ${minuteText(to)} UTC, a step of ${stepSeconds / 60} min`,
    `${total(({ rows }) => rows)} rows, ${total(({ bytes }) => bytes)} bytes, ${total(({ errors }) => errors)} rejected; largest lag ${countText(largest)}; ${escapeTerminalLine(last?.state ?? "")} at ${minuteText(last?.at ?? to)}`
  ].join("\n")
}

const historyTable = ({ points }: PipeHistory, layout: Layout): string =>
  tableText(
    [
      ["AT", "ROWS", "BYTES", "ERRORS", "LAG", "STATE"],
      ...points.map(({ at, bytes, errors, lag, rows, state }) => [
        DateTime.formatIso(at),
        String(rows),
        String(bytes),
        String(errors),
        String(lag ?? ""),
        escapeTerminalLine(state)
      ])
    ],
    layout
  )

/** `headgate pipe history <pipe-id>` */
export const history = Command.make(
  "history",
  {
    pipeId: pipeIdArgument,
    from: timeFlag("from", "Where it begins: a time ago such as 90m or 7d, a date or a timestamp; 24h by default"),
    to: timeFlag("to", "Where it ends, like --from; now by default"),
    step: Flag.String("step").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription("How long a step is, such as 1m, 10m or 1h; by default as short as the range allows"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ from, pipeId, step, to }) {
    const pipes = yield* Pipes
    const now = yield* DateTime.now
    const found = yield* pipes.history(yield* pipeAddress(pipeId), {
      ...(Option.isSome(from) ? { from: from.value(now) } : {}),
      ...(Option.isSome(to) ? { to: to.value(now) } : {}),
      ...(Option.isSome(step) ? { step: step.value } : {})
    })
    const stdio = yield* Stdio.Stdio
    const isChart = (yield* stdio.stdoutIsTerminal) && !(yield* Output.Plain)
    const { stdout } = yield* Output.Styles
    yield* Output.print({
      text: (layout) =>
        isChart ? chartText(found, Math.min(stdout.width, layout.width)) : historyTable(found, layout),
      json: Output.encoded(PipeHistory, found)
    })
  })
).pipe(
  Command.withDescription(
    "Show what a pipe has delivered over time, with its lag: lines of bars at a terminal, else a line for each step"
  ),
  Command.withExamples([
    { command: "headgate pipe history orders" },
    { command: "headgate pipe history orders --from 7d --step 1h --json", description: "A week, an hour each" }
  ])
)
