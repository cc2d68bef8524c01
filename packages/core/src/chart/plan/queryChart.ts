import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type InvalidRequest, invalidRequest } from "../../error/CallError.ts"
import type { FieldIssue } from "../../error/FieldIssue.ts"
import { chartNotFound } from "../../error/notFoundErrors.ts"
import type { DashboardSource } from "../../dashboard/DashboardSources.ts"
import { type JsonObject, objectOf, objectsOf } from "../../dashboard/config/Issues.ts"
import { isDistribution } from "../../dashboard/config/storedTile.ts"
import type { TileConfig } from "../../dashboard/config/TileConfig.ts"
import { PipeId } from "../../id/pipe.ts"
import { rowsAnswer } from "../answer/rowsAnswer.ts"
import type { ChartQuery } from "../ChartQuery.ts"
import type { AskedChart, ChartInput } from "./ChartInput.ts"
import { type ChartPorts, findDashboard, findNamedTable, findSource, findTable } from "./ChartPorts.ts"
import { querySettings, scopeOf, sourceText, tableNameOf } from "./sourceFields.ts"
import { dashboardConditions } from "./dashboardConditions.ts"
import { rangeIssue } from "./Periods.ts"
import { planGrouped } from "./planGrouped.ts"
import { planHeatmap, runHeatmap } from "./planHeatmap.ts"
import { planMetric } from "./planMetric.ts"
import { planNewest, planSearch } from "./planSearch.ts"
import { queryRaw } from "./queryRaw.ts"
import { readConfig, readStoredTile } from "./readTile.ts"
import { planned, type QueryRunner, queryRunner, runGrouped } from "./runChart.ts"
import { readCondition } from "./texts.ts"
import { readRowTime } from "./RowTime.ts"
import { zoneOf } from "./Zone.ts"

const validated = <A>(read: Result.Result<A, ReadonlyArray<FieldIssue>>): Effect.Effect<A, InvalidRequest> =>
  Effect.fromResult(Result.mapError(read, (issues) => invalidRequest(issues)))

const readRequest = Effect.fnUntraced(function* (request: ChartQuery) {
  const { from, timezone = "UTC", to } = request
  const zone = zoneOf(timezone)
  if (zone === undefined) {
    return yield* invalidRequest([{ path: "timezone", message: "Expected the IANA name of a time zone" }])
  }
  const issue = rangeIssue({ from, to })
  return issue === undefined ? { request, range: { from, to }, zone } : yield* invalidRequest([issue])
})

/** A tile of a stored dashboard. */
const storedChart = Effect.fnUntraced(function* (ports: ChartPorts, dashboardId: string, tileId: string) {
  const dashboard = yield* findDashboard(ports, dashboardId)
  const tile = dashboard.tiles?.find(({ id }) => id === tileId)
  if (tile === undefined) return yield* chartNotFound(`the dashboard ${dashboardId} has no tile ${tileId}`)
  return { dashboard, config: yield* validated(readStoredTile(tile)) }
})

/** What stands around a chart of the rows of a table: its time, and the conditions of the dashboard and the request. */
const inputOf = Effect.fnUntraced(function* (
  { dashboard, range, request, zone }: AskedChart,
  source: DashboardSource,
  table: ChartInput["table"]
) {
  const scope = scopeOf(source, table)
  const time = yield* planned(
    readRowTime(source.timestampValueExpression ?? "", "source.timestampValueExpression", table)
  )
  const conditions = yield* planned(dashboardConditions(request, dashboard, source.id, scope))
  const { granularity } = request
  return { table, time, scope, conditions, range, granularity, zone, path: "tile.config" } satisfies ChartInput
})

/** Runs a chart that is built from a source, once its table is found. */
const runBuilt = Effect.fnUntraced(function* (
  config: BuiltConfig,
  input: ChartInput,
  source: DashboardSource,
  runner: QueryRunner,
  asksPrevious: boolean | undefined
) {
  if (asksPrevious === true && (config.displayType === "search" || isDistribution(config))) {
    runner.warn([`${config.displayType} tiles have no period before: it is left out`])
  }
  if (config.displayType === "search") {
    const select = config.select.trim() === "" ? sourceText(source, "defaultTableSelectExpression") : config.select
    const plan = yield* planned(planSearch({ ...config, select }, input))
    return runner.dataOf(rowsAnswer(plan, yield* runner.run(plan.query)), input.range, config.displayType)
  }
  if (config.displayType === "heatmap" && config.heatmapMode !== "series") {
    return yield* runHeatmap(yield* planned(planHeatmap(config, input)), runner)
  }
  const plan = yield* planned(source.kind === "metric" ? planMetric(config, input) : planGrouped(config, input))
  const hasPrevious = asksPrevious ?? (config.displayType === "line" && config.compareToPreviousPeriod === true)
  return yield* runGrouped(runner, plan, hasPrevious)
})

type BuiltConfig = Exclude<
  TileConfig,
  { readonly configType: "sql" } | { readonly displayType: "markdown" | "event_patterns" }
>

const isSql = (config: TileConfig): config is Extract<TileConfig, { readonly configType: "sql" }> =>
  config.configType === "sql"

/** The type of the metric of a chart, if its source is one of metrics. */
const metricTypeOf = (config: JsonObject): string | undefined => {
  const [first] = objectsOf(config.select)
  return Predicate.isString(first?.metricType) ? first.metricType : undefined
}

/** The field that decides which table of a source is read. */
const tablePath = ({ kind }: DashboardSource): string =>
  kind === "metric" ? "tile.config.select.0.metricType" : "tile.config.sourceId"

const noRows = { columns: [], rows: [], hiddenSeries: 0, truncated: false }

const queryConfig = Effect.fnUntraced(function* (ports: ChartPorts, config: TileConfig, asked: AskedChart) {
  const { range, request } = asked
  if (isSql(config)) return yield* queryRaw(ports, config, asked)
  const { displayType } = config
  if (displayType === "markdown") {
    return { displayType, ...range, ...noRows, rowsRead: 0, elapsedMs: 0, warnings: [] }
  }
  if (displayType === "event_patterns") {
    return yield* invalidRequest([{ path: "tile.config", message: "event_patterns tiles are not queried" }])
  }
  const { engine, source } = yield* findSource(ports, config.sourceId)
  if (source.kind === "metric" && (displayType === "search" || isDistribution(config))) {
    // They name no metric: rows of all metrics of the table would be one chart.
    const message = `Of a source of metrics, ${displayType} tiles are not queried: choose another display type`
    return yield* invalidRequest([{ path: "tile.config.displayType", message }])
  }
  const name = yield* planned(tableNameOf(source, metricTypeOf(config), tablePath(source)))
  const table = yield* findTable(engine, source, name)
  const runner = queryRunner(engine, querySettings(source))
  runner.warn(table.warnings)
  const input = yield* inputOf(asked, source, table)
  return yield* runBuilt(config, input, source, runner, request.previousPeriod)
})

/** The newest rows of a table that a pipe has created, whenever they are: the range of the request does not matter. */
const queryNewest = Effect.fnUntraced(function* (
  { engines, organizationId }: ChartPorts,
  pipeId: PipeId,
  name: string | undefined,
  { range, request }: AskedChart
) {
  const found = yield* engines.ofPipe(organizationId, pipeId)
  const tables = found?.tables ?? []
  const [only, ...others] = name === undefined ? tables : tables.filter((table) => table === name)
  if (found === undefined || only === undefined) {
    return yield* chartNotFound(`the pipe ${pipeId} has created no table${name === undefined ? "" : ` ${name}`}`)
  }
  if (others.length > 0) {
    return yield* invalidRequest([{ path: "tile.table", message: `Expected one of ${tables.join(", ")}` }])
  }
  const table = yield* findNamedTable(found.engine, found.database, only)
  const scope = { columns: table.columns, implicit: [] }
  const where = yield* planned(readCondition(request.where ?? "", request.whereLanguage, "where", scope))
  const plan = planNewest(table, where === undefined ? [] : [where])
  const runner = queryRunner(found.engine)
  runner.warn(table.warnings)
  return runner.dataOf(rowsAnswer(plan, yield* runner.run(plan.query)), range, "search")
})

const isPipeId = Schema.is(PipeId)

/** The data of a chart. */
export const queryChart = Effect.fnUntraced(function* (ports: ChartPorts, request: ChartQuery) {
  const asked = yield* readRequest(request)
  const { config, dashboardId, pipeId, table, tileId } = objectOf(request.tile) ?? {}
  if (Predicate.isString(dashboardId) && Predicate.isString(tileId)) {
    const stored = yield* storedChart(ports, dashboardId, tileId)
    return yield* queryConfig(ports, stored.config, { ...asked, dashboard: stored.dashboard })
  }
  const sent = objectOf(config)
  if (sent !== undefined) return yield* queryConfig(ports, yield* validated(readConfig(sent)), asked)
  if (isPipeId(pipeId)) {
    return yield* queryNewest(ports, pipeId, Predicate.isString(table) ? table : undefined, asked)
  }
  return yield* invalidRequest([{ path: "tile", message: "Expected dashboardId and tileId, or config, or pipeId" }])
})
