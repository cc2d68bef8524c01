import { escapeTerminalLine } from "@headgate/command-line"
import { BelowService, type ChartData, type ChartQuery, Charts, Pipes } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { cellText, labelText } from "../chart/chartText.ts"
import { fittedTable } from "../chart/drawTable.ts"
import { columnText, tableFlag, tableOf, timeOf } from "../chart/pipeTable.ts"
import { timeFlag } from "../chart/timeFlag.ts"
import { UsageError } from "../error/CommandError.ts"
import { type Layout, tableText } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { invalidValue } from "../usage/validate.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

const most = 200
const byDefault = 20

const limitFlag = Flag.Int("limit").pipe(
  Flag.withDescription(`How many to show, 1 to ${most}; ${byDefault} by default`),
  Flag.mapEffect((limit) =>
    limit >= 1 && limit <= most
      ? Effect.succeed(limit)
      : Effect.fail(
          invalidValue({ kind: "flag", name: "limit" }, String(limit), `Expected a whole number from 1 to ${most}`)
        )
  ),
  Flag.withDefault(byDefault)
)

const utc = DateTime.zoneMakeNamedUnsafe("UTC")

/** The answer with some of its columns, in the order in which they are named. */
const withFields = Effect.fnUntraced(function* (data: ChartData, fields: ReadonlyArray<string>) {
  if (fields.length === 0) return data
  const names = data.columns.map(({ name }) => name)
  const unknown = fields.find((field) => !names.includes(field))
  if (unknown !== undefined) {
    const known = names.map(escapeTerminalLine).join(", ")
    return yield* new UsageError({
      message: `--fields: the table has no column "${escapeTerminalLine(unknown)}". It has: ${known}.`
    })
  }
  const places = fields.map((field) => names.indexOf(field))
  return {
    ...data,
    columns: places.flatMap((place) => data.columns[place] ?? []),
    rows: data.rows.map((row) => places.map((place) => row[place]))
  }
})

const rowsText = (data: ChartData, layout: Layout): string => {
  if (data.rows.length === 0) return ""
  if (!layout.isPlain && layout.width !== Infinity) return fittedTable(data, utc, layout.width).join("\n")
  const cells = data.rows.map((row) =>
    data.columns.map((column, index) => cellText(row[index], column, { displayType: data.displayType, zone: utc }))
  )
  return tableText([data.columns.map(({ name }) => labelText(name)), ...cells], layout)
}

/** The condition that a time of a row is in a range. */
const inRange = (time: string, from: Option.Option<DateTime.Utc>, to: Option.Option<DateTime.Utc>): string => {
  const bound = (sign: string, moment: Option.Option<DateTime.Utc>) =>
    Option.match(moment, {
      onNone: () => [],
      onSome: ({ epochMilliseconds }) => [`${columnText(time)} ${sign} fromUnixTimestamp64Milli(${epochMilliseconds})`]
    })
  return [...bound(">=", from), ...bound("<", to)].join(" AND ")
}

/** `headgate pipe rows <pipe-id>` */
export const rows = Command.make(
  "rows",
  {
    pipeId: pipeIdArgument,
    table: tableFlag,
    limit: limitFlag,
    from: timeFlag("from", "Only rows of this time or later: a time ago such as -15m or -7d, a date or a timestamp"),
    to: timeFlag("to", "Only rows before this time, like --from"),
    fields: Flag.String("fields").pipe(
      Flag.withMetavar("columns"),
      Flag.withDescription("Only these columns, such as at,page, in this order"),
      Flag.map((text) => text.split(",").map((field) => field.trim())),
      Flag.withDefault<ReadonlyArray<string>>([])
    )
  },
  Effect.fnUntraced(function* ({ fields, from, limit, pipeId, table, to }) {
    const pipes = yield* Pipes
    const below = yield* BelowService(Charts)
    const address = yield* pipeAddress(pipeId)
    const name = yield* tableOf(yield* pipes.get(address), table)
    const now = yield* DateTime.now
    const { pipeId: id, ...service } = address
    const charts = below.of(service)
    const request: ChartQuery = {
      tile: { pipeId: id, ...(name === undefined ? {} : { table: name }) },
      from: 0,
      to: now.epochMilliseconds
    }
    const first = Option.map(from, (moment) => moment(now))
    const last = Option.map(to, (moment) => moment(now))
    let answer = yield* charts.query(request)
    if (Option.isSome(first) || Option.isSome(last)) {
      // The newest rows are those of any time: a condition says which.
      const time = timeOf(answer.columns)
      if (time === undefined) {
        return yield* new UsageError({ message: "--from and --to: the table has no column with a time." })
      }
      answer = yield* charts.query({ ...request, where: inRange(time, first, last), whereLanguage: "sql" })
    }
    const newest = { ...answer, rows: answer.rows.slice(0, limit) }
    const data = yield* withFields(newest, fields)
    yield* Output.print({
      text: (layout) => rowsText(data, layout),
      json: Effect.succeed(
        data.rows.map((row) => Object.fromEntries(data.columns.map(({ name }, index) => [name, row[index]])))
      )
    })
    for (const warning of data.warnings) yield* Output.note(`warning: ${escapeTerminalLine(warning)}`)
    if (data.rows.length === 0) yield* Output.note("The table has no rows of that time.")
  })
).pipe(
  Command.withDescription(
    "Show the newest rows of a table that a pipe has created; for keys with the permission chart:query"
  ),
  Command.withExamples([
    { command: "headgate pipe rows clicks" },
    { command: "headgate pipe rows shop --table orders --from -1h --limit 100", description: "Of one of its tables" },
    { command: "headgate pipe rows clicks --fields at,page --json", description: "Some columns, for a script" }
  ])
)
