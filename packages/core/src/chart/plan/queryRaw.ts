import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { objectOf, objectsOf } from "../../dashboard/config/Issues.ts"
import type { TileConfig } from "../../dashboard/config/TileConfig.ts"
import { variableOf } from "../../dashboard/config/filters.ts"
import type { Dashboard } from "../../dashboard/Dashboard.ts"
import { chartNotFound } from "../../error/notFoundErrors.ts"
import { ConnectionId } from "../../id/dashboard.ts"
import { bounded } from "../answer/bounded.ts"
import type { AnsweredRows } from "../answer/rowsAnswer.ts"
import { valueReader } from "../answer/valueReader.ts"
import { columnTypeOf } from "../query/ColumnType.ts"
import type { QueryAnswer } from "../query/TableQuery.ts"
import { type ChartPorts, findSource, findTable } from "./ChartPorts.ts"
import { tableNameOf } from "./sourceFields.ts"
import { chosenFilters, type ChosenFilter, filtersSource, savedConditions } from "./dashboardConditions.ts"
import { expandMacros, quotedName, quotedText } from "./expandMacros.ts"
import { periodsOf } from "./Periods.ts"
import { isOverTime, mostRows } from "./planGrouped.ts"
import type { AskedChart } from "./ChartInput.ts"
import { planned, queryRunner } from "./runChart.ts"
import { type Planned, refuse } from "./texts.ts"

type SqlConfig = Extract<TileConfig, { readonly configType: "sql" }>

const texts = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.filter(Predicate.isString) : [])

/** The chosen values of the variables of a dashboard. */
const variablesOf = (
  dashboard: Dashboard | undefined,
  chosen: ReadonlyArray<ChosenFilter>
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const saved = new Map(
    objectsOf(dashboard?.savedFilterValues).flatMap(({ all, name, type, values }) =>
      type === "variable" && Predicate.isString(name) ? [[name, all === true ? [] : texts(values)] as const] : []
    )
  )
  return new Map(
    objectsOf(dashboard?.filters).flatMap((filter) => {
      const name = variableOf(filter)
      const own = chosen.find((one) => one.filter === filter)?.chosen.in
      return name === undefined ? [] : [[name, own ?? saved.get(name) ?? []] as const]
    })
  )
}

/** The conditions of filters as SQL: the author of the dashboard wrote their expressions, as the query. */
const filterTexts = (chosen: ReadonlyArray<ChosenFilter>): ReadonlyArray<string> =>
  chosen.flatMap(({ chosen: { between, in: included = [], notIn = [] }, filter: { expression } }) => {
    const list = (values: ReadonlyArray<string>) => `(${values.map(quotedText).join(", ")})`
    const value = `(${String(expression)})`
    return [
      ...(included.length > 0 ? [`${value} IN ${list(included)}`] : []),
      ...(notIn.length > 0 ? [`${value} NOT IN ${list(notIn)}`] : []),
      ...(between === undefined ? [] : [`${value} BETWEEN ${between[0]} AND ${between[1]}`])
    ]
  })

/** `where` and the saved query, which can be added to an SQL query only as SQL. */
const searchTexts = ({ dashboard, request }: AskedChart): Planned<ReadonlyArray<string>> => {
  const { savedQuery, savedQueryLanguage } = dashboard ?? {}
  const searched = [
    { text: savedQuery ?? "", language: savedQueryLanguage, path: "dashboard.savedQuery" },
    { text: request.where ?? "", language: request.whereLanguage, path: "where" }
  ].filter(({ text }) => text.trim() !== "")
  const other = searched.find(({ language }) => language !== "sql")
  return other === undefined
    ? Result.succeed(searched.map(({ text }) => `(${text})`))
    : refuse(other.path, "A chart of an SQL query takes conditions only in SQL")
}

/** The conditions around a chart of an SQL query. */
const conditionsOf = (
  { sourceId = "" }: SqlConfig,
  asked: AskedChart,
  chosen: ReadonlyArray<ChosenFilter>
): Planned<ReadonlyArray<string>> => {
  const saved = asked.request.filters === undefined ? savedConditions(asked.dashboard) : []
  return Result.map(searchTexts(asked), (searched) => [
    ...filterTexts(chosen.filter((one) => filtersSource(one, sourceId))),
    ...saved.map(({ condition }) => `(${condition})`),
    ...searched
  ])
}

/** The tables of the source of a query. Names are those that were found. */
const sourceTables = Effect.fnUntraced(function* (ports: ChartPorts, { sourceId, sqlTemplate }: SqlConfig) {
  if (sourceId === undefined || !sqlTemplate.includes("$__sourceTable")) return new Map<string, string>()
  const { engine, source } = yield* findSource(ports, sourceId)
  const types = source.kind === "metric" ? Object.keys(objectOf(source.metricTables) ?? {}) : [""]
  const names = types.flatMap((type) => {
    const name = Result.getOrUndefined(tableNameOf(source, type === "" ? undefined : type, ""))
    return name === undefined ? [] : [[type, name] as const]
  })
  const found = yield* Effect.forEach(names, ([type, name]) =>
    Effect.map(
      findTable(engine, source, name),
      ({ database, name }) => [type, `${quotedName(database)}.${quotedName(name)}`] as const
    )
  )
  return new Map(found)
})

/** The answer of an SQL query: its first time is the axis of a chart over time, texts are groups, numbers are values. */
const rawAnswer = ({ displayType, numberFormat }: SqlConfig, answer: QueryAnswer): AnsweredRows => {
  const kinds = answer.columns.map(({ type }) => columnTypeOf(type).kind)
  const time = isOverTime(displayType) ? kinds.findIndex((kind) => kind === "time" || kind === "date") : -1
  const readers = answer.columns.map(({ type }) => valueReader(type))
  const format = numberFormat === undefined ? {} : { numberFormat }
  return {
    columns: answer.columns.map(({ name, type }, index) => {
      if (index === time) return { name, type, role: "time" }
      return kinds[index] === "number" ? { name, type, role: "value", ...format } : { name, type, role: "group" }
    }),
    ...bounded(
      answer.rows.map((row) => row.map((value, index) => readers[index]?.(value) ?? null)),
      mostRows
    ),
    hiddenSeries: 0
  }
}

/** The data of a chart of an SQL query. */
export const queryRaw = Effect.fnUntraced(function* (ports: ChartPorts, config: SqlConfig, asked: AskedChart) {
  const { dashboard, range, request, zone } = asked
  const { displayType, sqlTemplate } = config
  const connection = ConnectionId.make(config.connectionId)
  const engine = yield* ports.engines.ofConnection(ports.organizationId, connection)
  if (engine === undefined) return yield* chartNotFound(`there is no connection ${connection}`)
  const isAligned = isOverTime(displayType) && config.alignDateRangeToGranularity !== false
  const periods = yield* planned(periodsOf(range, { granularity: request.granularity, zone, isAligned }))
  const chosen = yield* planned(chosenFilters(dashboard, request.filters ?? []))
  const filters = sqlTemplate.includes("$__filters") ? yield* planned(conditionsOf(config, asked, chosen)) : []
  const variables = variablesOf(dashboard, chosen)
  const sql = yield* planned(
    expandMacros(sqlTemplate, { variables, filters, sourceTables: yield* sourceTables(ports, config) })
  )
  const { from, to } = isAligned ? periods.range : range
  const answer = yield* engine.raw(sql, {
    startDateMilliseconds: from,
    endDateMilliseconds: to,
    intervalSeconds: periods.seconds,
    intervalMilliseconds: periods.seconds * 1000
  })
  const runner = queryRunner(engine)
  const data = runner.dataOf(rawAnswer(config, answer), { from, to }, displayType)
  const warnings = asked.request.previousPeriod === true ? ["SQL tiles have no period before: it is left out"] : []
  return { ...data, rowsRead: Math.round(answer.rowsRead), elapsedMs: Math.round(answer.elapsed), warnings }
})
