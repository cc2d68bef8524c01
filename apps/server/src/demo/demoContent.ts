import { OrganizationId, PipeId, ServiceId } from "@headgate/core"
import { demoBroker, demoColumns } from "@headgate/mover-demo"
import { anyService } from "@headgate/mover-runtime"
import { connectionTo } from "../chart/builtInConnections.ts"

/** By this organization a store is known as one of a demo. */
export const demoOrganizationId = OrganizationId.make("de300000-5b1c-4f0e-9d52-0c6a4e8f1b01")
export const demoServiceId = ServiceId.make("de300000-5b1c-4f0e-9d52-0c6a4e8f1b02")

/** The pipes of a demo, by their names. */
export const demoPipeIds = {
  clicks: PipeId.make("de300000-5b1c-4f0e-9d52-0c6a4e8f1b11"),
  orders: PipeId.make("de300000-5b1c-4f0e-9d52-0c6a4e8f1b12"),
  logs: PipeId.make("de300000-5b1c-4f0e-9d52-0c6a4e8f1b13")
}

const sourceId = "de3000005b1c4f0e9d520c6a"
const dashboardId = "de3000005b1c4f0e9d520c6b"

/** A pipe of a topic into a table of the same name, as it is before it is started. */
const pipe = (name: keyof typeof demoPipeIds) => ({
  id: demoPipeIds[name],
  serviceId: demoServiceId,
  name,
  state: "Stopped",
  source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: demoBroker, topics: name } },
  destination: {
    database: "default",
    table: name,
    managedTable: true,
    columns: demoColumns,
    tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["time"] }
  },
  // So that a page shows something new every second.
  settings: { streaming_max_insert_wait_ms: 1000 }
})

const source = {
  id: sourceId,
  name: "clicks",
  kind: "log",
  connection: connectionTo(anyService).connection.id,
  from: { databaseName: "default", tableName: "clicks" },
  timestampValueExpression: "time",
  defaultTableSelectExpression: "time, service, page, status, duration_ms, message",
  bodyExpression: "message",
  implicitColumnExpression: "message",
  serviceNameExpression: "service"
}

const errors = { where: "status >= 500", whereLanguage: "sql" }
const milliseconds = { output: "number", mantissa: 0, thousandSeparated: true, unit: "ms" }
const p95 = {
  aggFn: "quantile",
  level: 0.95,
  valueExpression: "duration_ms",
  alias: "p95",
  numberFormat: milliseconds
}
const count = { aggFn: "count", alias: "requests" }

/** The share of errors is about 2 %. */
const shareOfErrors = {
  displayType: "number",
  sourceId,
  select: [{ aggFn: "count", ...errors }, count],
  formulas: [{ expression: "A / B", alias: "share of errors" }],
  numberFormat: { output: "percent", mantissa: 2 },
  color: "chart-success",
  colorRules: [
    { operator: "gte", value: 0.01, color: "chart-warning", label: "more than usual" },
    { operator: "gte", value: 0.05, color: "chart-error", label: "too many" }
  ]
}

const place = (x: number, y: number, w: number, h: number) => ({ x, y, w, h })

const dashboard = {
  id: dashboardId,
  name: "Shop",
  tags: ["demo"],
  tiles: [
    {
      id: "requests",
      name: "Requests by service",
      ...place(0, 0, 12, 5),
      config: { displayType: "line", sourceId, select: [count], groupBy: "service" }
    },
    {
      id: "states",
      name: "Requests by status",
      ...place(12, 0, 12, 5),
      config: { displayType: "stacked_bar", sourceId, select: [count], groupBy: "status" }
    },
    {
      id: "p95",
      name: "Duration, 95th percentile",
      ...place(0, 5, 16, 5),
      config: { displayType: "line", sourceId, select: [p95], groupBy: "service", numberFormat: milliseconds }
    },
    { id: "errors", name: "Share of errors", ...place(16, 5, 8, 5), config: shareOfErrors },
    {
      id: "pages",
      name: "Pages",
      ...place(0, 10, 12, 6),
      config: {
        displayType: "table",
        sourceId,
        select: [count, { aggFn: "count", alias: "errors", ...errors }, p95],
        groupBy: "page",
        orderBy: "requests DESC",
        groupByColumnsOnLeft: true
      }
    },
    {
      id: "search",
      name: "Errors",
      ...place(12, 10, 12, 6),
      config: { displayType: "search", sourceId, select: "time, service, page, duration_ms, message", ...errors }
    }
  ]
}

/** What the first start of a demo imports, as a snapshot of the neutral dialect. Its pipes are simulated until they are adopted. */
export const demoDocument = {
  organizations: [
    {
      id: demoOrganizationId,
      name: "Demo",
      services: [{ id: demoServiceId, name: "shop", pipes: [pipe("clicks"), pipe("orders"), pipe("logs")] }],
      sources: [source],
      dashboards: [dashboard]
    }
  ]
}
