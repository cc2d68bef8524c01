import { escapeTerminalLine } from "@headgate/command-line"
import {
  type ChartData,
  Charts,
  type ConnectionId,
  Dashboards,
  DashboardSources,
  type Pipe,
  Pipes,
  SourceId
} from "@headgate/core"
import { chartNumber } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { nouns, serviceAddress } from "../address/nouns.ts"
import { resolveName } from "../address/resolveName.ts"
import { columnText, tableOf, tablesOf, timeOf } from "../chart/pipeTable.ts"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { DryRun, heldBack } from "../request/dryRun.ts"
import { candidatesOf, dashboardOf, fewValues, type PipeTable, sourceOf } from "./pipeDashboard.ts"
import { printDashboard } from "./printDashboard.ts"
import { warehouseConnections } from "./warehouseConnections.ts"

/** What `dashboard create --from-pipe` is given. */
export interface FromPipe {
  readonly pipe: string
  readonly table: Option.Option<string>
  readonly name: Option.Option<string>
}

const day = 86_400_000

const refuse = (message: string) => Effect.fail(new UsageError({ message: `--from-pipe: ${message}` }))

/** Reads the newest rows of a pipe: they tell its columns. */
const readTable = Effect.fnUntraced(function* (pipe: Pipe, given: Option.Option<string>) {
  const charts = yield* Charts
  const table = yield* tableOf(pipe, given)
  if (table === undefined) return yield* refuse("the pipe names no table of its destination.")
  const now = yield* Clock.currentTimeMillis
  const newest = yield* charts.query({ tile: { pipeId: pipe.id, table }, from: now - day, to: now })
  const { columns } = newest
  const time = timeOf(columns)
  if (time === undefined) {
    return yield* refuse(
      `the table ${escapeTerminalLine(table)} has no column with a time (DateTime, DateTime64 or Date), by which its rows could be shown. Add one to the columns of the pipe; or create a source whose timestampValueExpression makes a time of other columns, with 'headgate source create', and a dashboard with 'headgate dashboard create --file'.`
    )
  }
  const found: PipeTable = { database: pipe.destination?.database ?? undefined, table, columns, time }
  return { newest, found }
})

/** How many values the columns have that may have few, among the newest rows. */
const sampled = ({ columns, rows }: ChartData, candidates: ReadonlyArray<string>) =>
  candidates.map((name) => {
    const place = columns.findIndex((column) => column.name === name)
    return [name, new Set(rows.map((row) => row[place])).size] as const
  })

/** How many values these columns have in the day before the newest row. */
const counted = Effect.fnUntraced(function* (
  sourceId: SourceId,
  { found, newest }: { readonly found: PipeTable; readonly newest: ChartData }
) {
  const charts = yield* Charts
  const candidates = candidatesOf(found)
  const place = found.columns.findIndex(({ name }) => name === found.time)
  const last = chartNumber(newest.rows[0]?.[place]) ?? (yield* Clock.currentTimeMillis)
  const select = candidates.map((name) => ({
    aggFn: "count_distinct" as const,
    valueExpression: columnText(name),
    where: "",
    whereLanguage: "sql" as const
  }))
  const count = { aggFn: "count" as const, where: "", whereLanguage: "sql" as const }
  const answer = yield* charts.query({
    tile: { config: { displayType: "table", sourceId, select: select.length === 0 ? [count] : select } },
    from: last - day,
    to: last + 1000
  })
  const values = answer.columns.flatMap(({ role }, index) => (role === "value" ? [index] : []))
  return candidates.map((name, index) => [name, chartNumber(answer.rows[0]?.[values[index] ?? -1]) ?? 0] as const)
})

type Table = Effect.Success<ReturnType<typeof readTable>>

/** A source of the table that is there already. */
const existingSource = Effect.fnUntraced(function* (
  name: string,
  connections: ReadonlyArray<ConnectionId>,
  { database, table }: PipeTable
) {
  const sources = yield* DashboardSources
  return (yield* sources.list()).find(
    (source) =>
      source.name === name &&
      source.from?.tableName === table &&
      (source.from.databaseName ?? "") === (database ?? "") &&
      connections.some((id) => id === source.connection)
  )
})

/** The values of the columns that may have few, by the service, or of the newest rows if these are too many to be counted. */
const countedOrSampled = (sourceId: SourceId, table: Table) =>
  Effect.catchTag(counted(sourceId, table), "InvalidRequest", () =>
    Effect.succeed(sampled(table.newest, candidatesOf(table.found)))
  )

/** The source of the table, a new one or one that is there, and the values of its columns: of the first connection that has the table. */
const makeSource = Effect.fnUntraced(function* (name: string, connections: ReadonlyArray<ConnectionId>, table: Table) {
  const sources = yield* DashboardSources
  const existing = yield* existingSource(name, connections, table.found)
  if (existing !== undefined) return { sourceId: existing.id, counts: yield* countedOrSampled(existing.id, table) }
  const [first, ...others] = connections
  if (first === undefined) return yield* refuse("there is no connection to the warehouse.")
  const { id: sourceId } = yield* sources.create(sourceOf(name, first, table.found))
  let counts = yield* Effect.result(countedOrSampled(sourceId, table))
  for (const next of others) {
    if (Result.isSuccess(counts) || counts.failure._tag !== "ChartNotFound") break
    yield* sources.update({ sourceId }, sourceOf(name, next, table.found))
    counts = yield* Effect.result(countedOrSampled(sourceId, table))
  }
  if (Result.isSuccess(counts)) return { sourceId, counts: counts.success }
  yield* Effect.ignore(sources.delete({ sourceId }))
  return yield* Effect.fail(counts.failure)
})

/** The requests, as `--dry-run` prints them. A source that is not there has no id, and its column of few values is that of the newest rows. */
const printRequests = Effect.fnUntraced(function* (
  name: string,
  connections: ReadonlyArray<ConnectionId>,
  { found, newest }: Table
) {
  const sources = yield* DashboardSources
  const dashboards = yield* Dashboards
  const existing = yield* existingSource(name, connections, found)
  const [first] = connections
  const source =
    existing !== undefined || first === undefined
      ? undefined
      : yield* heldBack(sources.create(sourceOf(name, first, found)))
  const column = fewValues(sampled(newest, candidatesOf(found)))
  const sourceId = existing?.id ?? "<id of that source>"
  const dashboard = yield* heldBack(dashboards.create(dashboardOf(name, sourceId, found, column)))
  return yield* Effect.die(new DryRun([source, dashboard].flatMap((text) => text ?? []).join("\n\n")))
})

/** `headgate dashboard create --from-pipe <pipe>` */
export const fromPipe = Effect.fnUntraced(function* (given: FromPipe, isDryRun: boolean) {
  const pipes = yield* Pipes
  const dashboards = yield* Dashboards
  const service = yield* serviceAddress
  const pipe = yield* pipes.get({
    ...service,
    pipeId: yield* resolveName(nouns.pipe(service), given.pipe, "--from-pipe")
  })
  const table = yield* tableOf(pipe, given.table)
  const isOneOfSeveral = tablesOf(pipe).length > 1
  const name = Option.getOrElse(given.name, () => (isOneOfSeveral ? `${pipe.name} ${table ?? ""}` : pipe.name))
  const there = (yield* dashboards.list()).find((dashboard) => dashboard.name === name)
  if (there !== undefined) {
    yield* Output.note(`A dashboard "${escapeTerminalLine(name)}" is there already: nothing was created.`)
    return yield* printDashboard(there)
  }
  const known = yield* readTable(pipe, given.table)
  const connections = yield* warehouseConnections
  if (isDryRun) return yield* printRequests(name, connections, known)
  const { counts, sourceId } = yield* makeSource(name, connections, known)
  const column = fewValues(counts)
  if (column === undefined) {
    yield* Output.note("No column has 2 to 100 values in the newest rows: the dashboard has no tile by a column.")
  }
  const dashboard = yield* dashboards.create(dashboardOf(name, sourceId, known.found, column))
  yield* printDashboard(dashboard, `Dashboard ${dashboard.id} was created`)
  yield* Output.note(`'headgate dashboard show ${dashboard.id}' draws it.`)
})
