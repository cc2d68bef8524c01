// Every field of a request or of a document whose text reaches a query.
import type { ChartAnswer, ChartCaller } from "../ChartServer.ts"
import { chartPaths, warehouseConnection } from "../ChartServer.ts"

/** Where the texts are sent to. */
export interface Stage {
  readonly caller: ChartCaller
  /** A source of logs over a table without rows in the range. */
  readonly logs: string
  /** A source of metrics. */
  readonly metrics: string
  /** A pipe that has created a table; `undefined` if there is none. */
  readonly pipe: string | undefined
  readonly from: number
  readonly to: number
  /** The fields of the source of logs. */
  readonly source: { readonly [field: string]: unknown; readonly from: { readonly tableName: string } }
}

export interface Field {
  readonly name: string
  /** A text that is taken, and reaches the database. */
  readonly honest: string
  readonly send: (stage: Stage, text: string) => Promise<ChartAnswer>
  /** What it says is no expression: any answer but a row is right. */
  readonly isNoExpression?: true
}

const query = ({ caller, from, to }: Stage, tile: object, more: object = {}) =>
  caller.call("POST", chartPaths.query, { tile, from, to, granularity: "30m", ...more })

const chart = (stage: Stage, config: object, more: object = {}) =>
  query(stage, { config: { displayType: "table", sourceId: stage.logs, ...config } }, more)

const count = { aggFn: "count" }

const ofChart = (name: string, honest: string, configOf: (text: string) => object): Field => ({
  name,
  honest,
  send: (stage, text) => chart(stage, configOf(text))
})

const search = ({ caller, from, logs, to }: Stage, fields: object) =>
  caller.call("POST", chartPaths.search, {
    sourceId: logs,
    startTime: new Date(from).toISOString(),
    endTime: new Date(to).toISOString(),
    select: "Timestamp, Body",
    ...fields
  })

const ofSearch = (name: string, honest: string, fieldsOf: (text: string) => object): Field => ({
  name: `search, ${name}`,
  honest,
  send: (stage, text) => search(stage, fieldsOf(text))
})

const ofSeries = (name: string, honest: string, fieldsOf: (text: string) => object, isOfMetrics = false): Field => ({
  name: `series, ${name}`,
  honest,
  send: (stage, text) => {
    const series = { sourceId: isOfMetrics ? stage.metrics : stage.logs, aggFn: "count", where: "", groupBy: [] }
    const { caller, from, to } = stage
    return caller.call("POST", chartPaths.series, {
      startTime: from,
      endTime: to,
      granularity: "1h",
      series: [{ ...series, ...fieldsOf(text) }]
    })
  }
})

/** Changes the source, searches it and puts it back. */
const ofSource = (name: string, honest: string, fieldsOf: (text: string) => object, where = ""): Field => ({
  name: `source, ${name}`,
  honest,
  isNoExpression: true,
  send: async (stage, text) => {
    const path = `/api/v2/sources/${stage.logs}`
    const changed = await stage.caller.call("PUT", path, { ...stage.source, ...fieldsOf(text) })
    if (changed.status >= 300) return changed
    try {
      const found = await search(stage, { where, select: name === "defaultTableSelectExpression" ? "" : "Body" })
      const drawn = await chart(stage, { displayType: "line", select: [{ ...count, where }] })
      return found.status === 200 ? drawn : found
    } finally {
      await stage.caller.call("PUT", path, stage.source)
    }
  }
})

const ofConnection: Field = {
  name: "connection, host",
  honest: "https://db.example.com:8443",
  isNoExpression: true,
  send: async (stage, host) => {
    const made = await stage.caller.call("POST", "/api/v2/connections", { name: "theirs", host })
    const id = made.json?.data?.id ?? made.json?.id
    if (made.status >= 300 || id === undefined) return made
    const path = `/api/v2/sources/${stage.logs}`
    const changed = await stage.caller.call("PUT", path, { ...stage.source, connection: id })
    try {
      return changed.status >= 300 ? changed : await search(stage, {})
    } finally {
      await stage.caller.call("PUT", path, { ...stage.source, connection: warehouseConnection })
      await stage.caller.call("DELETE", `/api/v2/connections/${id}`)
    }
  }
}

/** A stored dashboard whose filter has the text as its expression, or whose filter has it chosen. */
const ofFilter = (
  name: string,
  honest: string,
  of: (text: string) => readonly [expression: string, value: string]
): Field => ({
  name,
  honest,
  send: async (stage, text) => {
    const [expression, value] = of(text)
    const config = { displayType: "table", sourceId: stage.logs, select: [{ ...count, where: "" }] }
    const body = {
      name: "filtered",
      tags: [],
      tiles: [{ name: "tile", x: 0, y: 0, w: 4, h: 4, config }],
      filters: [{ type: "QUERY_EXPRESSION", name: "filter", expression, sourceId: stage.logs }]
    }
    const made = await stage.caller.call("POST", "/api/v2/dashboards", body)
    const { filters, id, tiles } = made.json?.data ?? {}
    if (made.status >= 300 || id === undefined) return made
    const chosen = { filterId: filters[0].id, in: [value] }
    const answer = await query(stage, { dashboardId: id, tileId: tiles[0].id }, { filters: [chosen] })
    await stage.caller.call("DELETE", `/api/v2/dashboards/${id}`)
    return answer
  }
})

const ofQuery = (name: string, honest: string, more: (text: string) => object): Field => ({
  name,
  honest,
  send: (stage, text) => chart(stage, { displayType: "line", select: [{ ...count, where: "" }] }, more(text))
})

const tables: ReadonlyArray<Field> = [
  ofSource("from.tableName", "chart_rows", (tableName) => ({ from: { databaseName: "default", tableName } })),
  {
    ...ofSource("from.databaseName", "default", (databaseName) => ({
      from: { databaseName, tableName: "chart_rows" }
    }))
  },
  {
    name: "tile, table",
    honest: "",
    isNoExpression: true,
    send: (stage, table) => query(stage, { pipeId: stage.pipe ?? "5e000000-0000-4000-8000-0000000000aa", table })
  }
]

export const fields: ReadonlyArray<Field> = [
  ofChart("where of an item, SQL", "Body = 'x'", (where) => ({ select: [{ ...count, where, whereLanguage: "sql" }] })),
  ofChart("where of an item, Lucene", 'Body:"x" OR y', (where) => ({
    select: [{ ...count, where, whereLanguage: "lucene" }]
  })),
  ofChart("valueExpression", "Value * 2", (valueExpression) => ({
    select: [{ aggFn: "max", where: "", valueExpression }]
  })),
  ofChart("valueExpression of none", "sum(Value) / count()", (valueExpression) => ({
    groupBy: "Level",
    select: [{ aggFn: "none", where: "", valueExpression }]
  })),
  ofChart("groupBy", "Level, length(Body)", (groupBy) => ({ groupBy, select: [{ ...count, where: "" }] })),
  ofChart("having", "count() > 0", (having) => ({ having, groupBy: "Level", select: [{ ...count, where: "" }] })),
  ofChart("orderBy", "Level DESC", (orderBy) => ({ orderBy, groupBy: "Level", select: [{ ...count, where: "" }] })),
  ofChart("alias", "a name", (alias) => ({ groupBy: "Level", select: [{ ...count, where: "", alias }] })),
  ofChart("level", "0.5", (level) => ({
    select: [
      {
        aggFn: "quantile",
        where: "",
        valueExpression: "Value",
        level: Number.isFinite(Number(level)) && level !== "" ? Number(level) : level
      }
    ]
  })),
  ofChart("formula", "A * 2", (expression) => ({
    groupBy: "Level",
    select: [{ ...count, where: "" }],
    formulas: [{ expression, alias: "twice" }]
  })),
  ofChart("select of a search", "Timestamp, upper(Body)", (select) => ({ displayType: "search", select })),
  ofQuery("where", "Body = 'x'", (where) => ({ where, whereLanguage: "sql" })),
  { ...ofQuery("timezone", "Europe/Berlin", (timezone) => ({ timezone })), isNoExpression: true },
  { ...ofQuery("granularity", "1h", (granularity) => ({ granularity })), isNoExpression: true },
  ofFilter("expression of a filter", "Level", (text) => [text, "a"]),
  ofFilter("value of a filter", "error", (text) => ["Level", text]),
  ofSearch("select", "Timestamp, Body", (select) => ({ select })),
  ofSearch("orderBy", "Timestamp DESC", (orderBy) => ({ orderBy })),
  ofSearch("where, SQL", "Body = 'x'", (where) => ({ where, whereLanguage: "sql" })),
  ofSearch("where, Lucene", "x -y", (where) => ({ where })),
  ofSeries("field", "Value", (field) => ({ aggFn: "max", field })),
  ofSeries("groupBy", "Level", (text) => ({ groupBy: [text] })),
  ofSeries("where", "Body = 'x'", (where) => ({ where, whereLanguage: "sql" })),
  ofSeries(
    "metricName",
    "a.metric",
    (metricName) => ({ aggFn: "avg", metricName, metricDataType: "gauge", field: "Value" }),
    true
  ),
  ofSource("timestampValueExpression", "Timestamp", (timestampValueExpression) => ({ timestampValueExpression })),
  ofSource("implicitColumnExpression", "Body", (implicitColumnExpression) => ({ implicitColumnExpression }), "word"),
  ofSource("bodyExpression", "Body", (bodyExpression) => ({ bodyExpression, implicitColumnExpression: null }), "word"),
  ofSource("defaultTableSelectExpression", "Timestamp, Body", (defaultTableSelectExpression) => ({
    defaultTableSelectExpression
  })),
  ofSource("querySettings, name", "max_threads", (setting) => ({ querySettings: [{ setting, value: "1" }] })),
  ofSource("querySettings, value", "2", (value) => ({ querySettings: [{ setting: "max_threads", value }] })),
  ofConnection,
  ...tables
]
