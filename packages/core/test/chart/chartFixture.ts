import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ChartQuery } from "../../src/chart/ChartQuery.ts"
import { OrganizationCharts } from "../../src/chart/Charts.ts"
import type { Expression } from "../../src/chart/expression/Expression.ts"
import { makeCharts } from "../../src/chart/plan/makeCharts.ts"
import { type ChartEngine, ChartEngines } from "../../src/chart/query/ChartEngines.ts"
import { columnTypeOf } from "../../src/chart/query/ColumnType.ts"
import type { ChartTable, Named, QueryAnswer, QuerySource, TableQuery } from "../../src/chart/query/TableQuery.ts"
import type { Dashboard } from "../../src/dashboard/Dashboard.ts"
import { OrganizationDashboards } from "../../src/dashboard/Dashboards.ts"
import { type DashboardSource, OrganizationSources } from "../../src/dashboard/DashboardSources.ts"
import { notFound } from "../../src/error/notFoundErrors.ts"
import { ConnectionId, DashboardId, SourceId } from "../../src/id/dashboard.ts"
import { organizationId, pipeId } from "../ids.ts"

/** An expression as a text, which tests write by hand. */
const show = (expression: Expression): string => {
  switch (expression._tag) {
    case "Literal": {
      const { value } = expression
      if (value === null) return "NULL"
      if (typeof value === "string") return `'${value}'`
      return typeof value === "boolean" ? String(value) : value.text
    }
    case "Column":
      return expression.name
    case "Cast":
      return `CAST(${show(expression.argument)}, ${expression.type})`
    case "Lambda":
      return `(${expression.parameters.join(", ")}) -> ${show(expression.body)}`
    case "Call": {
      const level =
        expression.parameters === undefined ? "" : `(${expression.parameters.map(({ text }) => text).join()})`
      return `${expression.name}${level}(${expression.arguments.map(show).join(", ")})`
    }
  }
}

const named = ({ expression, name }: Named): string => `${name} = ${show(expression)}`

const showSource = (source: QuerySource): unknown => {
  if (!("_tag" in source)) return source.name
  if (source._tag === "Grouped") return showQuery(source)
  const { columns, from, increase, isDifference, series, time, value, where } = source
  return {
    from: from.name,
    where: where && show(where),
    series: show(series),
    time: show(time),
    value: show(value),
    isDifference: show(isDifference),
    increase,
    columns: columns.map(named)
  }
}

/** A query as texts, without the parts that it does not have. */
export const showQuery = (query: TableQuery): Record<string, unknown> => {
  const orderBy = query.orderBy.map(
    ({ expression, isDescending }) => `${show(expression)}${isDescending ? " DESC" : ""}`
  )
  const rest = { from: showSource(query.from), where: query.where && show(query.where), orderBy, limit: query.limit }
  const all =
    query._tag === "Rows"
      ? { ...rest, columns: query.columns.map(named), offset: query.offset }
      : {
          ...rest,
          groups: query.groups.map(named),
          bucket: query.bucket && named(query.bucket),
          values: query.values.map(named),
          having: query.having && show(query.having),
          mostSeries: query.mostSeries
        }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** A table with columns of some types. */
export const tableOf = (columns: Readonly<Record<string, string>>, rest: Partial<ChartTable> = {}): ChartTable => ({
  database: "default",
  name: "logs",
  columns: new Map(Object.entries(columns).map(([name, type]) => [name, columnTypeOf(type)])),
  sortingKey: [],
  isVersioned: false,
  warnings: [],
  ...rest
})

export const logs = tableOf({
  ts: "DateTime64(3)",
  service: "LowCardinality(String)",
  body: "String",
  ms: "Float64",
  size: "UInt64",
  text: "String",
  tags: "Map(String, String)"
})

export const sourceId = SourceId.make("a".repeat(24))
export const connectionId = ConnectionId.make("b".repeat(24))
export const dashboardId = DashboardId.make("c".repeat(24))

export const logSource: DashboardSource = {
  id: sourceId,
  name: "Logs",
  kind: "log",
  connection: connectionId,
  from: { databaseName: "default", tableName: "logs" },
  timestampValueExpression: "ts",
  bodyExpression: "body",
  defaultTableSelectExpression: "ts, service, body"
}

interface Answer extends Pick<QueryAnswer, "groups"> {
  readonly columns: Readonly<Record<string, string>>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

/** What the charts of a test are made of. */
interface Given {
  readonly tables?: ReadonlyArray<ChartTable>
  readonly sources?: ReadonlyArray<DashboardSource>
  readonly dashboards?: ReadonlyArray<Dashboard>
  /** The answers of the queries in their order. Later queries have no rows. */
  readonly answers?: ReadonlyArray<Answer>
  readonly pipeTables?: ReadonlyArray<string>
}

const unused = () => Effect.die("a chart changes nothing")
const unusedMethods = { create: unused, list: unused, update: unused, delete: unused, validate: unused }

/** Charts over a database that answers what it is given and keeps what it is asked. */
export const chartsOf = ({
  answers = [],
  dashboards = [],
  pipeTables = [],
  sources = [logSource],
  tables = [logs]
}: Given = {}) => {
  const queries: Array<TableQuery> = []
  const raw: Array<readonly [string, Readonly<Record<string, number>>]> = []
  let asked = 0
  const next = (): QueryAnswer => {
    const { columns, rows, ...rest } = answers[asked++] ?? { columns: {}, rows: [] }
    const typed = Object.entries(columns).map(([name, type]) => ({ name, type }))
    return { columns: typed, rows, ...rest, rowsRead: 10, elapsed: 2.4 }
  }
  const engine: ChartEngine = {
    findTable: (database, name) =>
      Effect.succeed(
        database === "default" || database === undefined ? tables.find((one) => one.name === name) : undefined
      ),
    query: (query) =>
      Effect.sync(() => {
        queries.push(query)
        return { ...next(), warnings: [] }
      }),
    raw: (sql, parameters) =>
      Effect.sync(() => {
        raw.push([sql, parameters])
        return next()
      })
  }
  const layer = Layer.mergeAll(
    Layer.succeed(OrganizationDashboards, {
      of: () => ({
        ...unusedMethods,
        get: ({ dashboardId }) => {
          const found = dashboards.find(({ id }) => id === dashboardId)
          return found === undefined
            ? Effect.fail(notFound("DashboardNotFound", { dashboardId }))
            : Effect.succeed(found)
        }
      })
    }),
    Layer.succeed(OrganizationSources, {
      of: () => ({
        ...unusedMethods,
        get: ({ sourceId }) => {
          const found = sources.find(({ id }) => id === sourceId)
          return found === undefined ? Effect.fail(notFound("SourceNotFound", { sourceId })) : Effect.succeed(found)
        }
      })
    }),
    Layer.succeed(ChartEngines, {
      ofConnection: (_, id) => Effect.succeed(id === connectionId ? engine : undefined),
      ofPipe: (_, id) =>
        Effect.succeed(
          id === pipeId && pipeTables.length > 0 ? { engine, database: "default", tables: pipeTables } : undefined
        )
    })
  )
  const charts = OrganizationCharts.use((port) => Effect.succeed(port.of(organizationId))).pipe(
    Effect.provide(Layer.provide(makeCharts, layer))
  )
  return {
    queries,
    raw,
    query: (request: ChartQuery) => Effect.flatMap(charts, ({ query }) => query(request)),
    series: (request: object) => Effect.flatMap(charts, ({ series }) => series({ ...request })),
    search: (request: object) => Effect.flatMap(charts, ({ search }) => search({ ...request }))
  }
}

/** 2026-11-23 10:00:00 UTC. */
export const ten = Date.UTC(2026, 10, 23, 10)
export const minute = 60_000

const isRequest = Schema.is(ChartQuery)

/** A request for a chart that is not stored, of 10:00 to 10:05. */
export const requestOf = (config: object, rest: object = {}): ChartQuery => {
  const tile = { config: { sourceId, ...config } }
  const request: unknown = { tile, from: ten, to: ten + 5 * minute, granularity: "1m", ...rest }
  if (!isRequest(request)) throw new Error("the test sends no request for a chart")
  return request
}
