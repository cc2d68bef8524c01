import * as Effect from "effect/Effect"
import {
  makeConfigDashboard,
  replaceConfigDashboard,
  validateConfigDashboard
} from "../../../src/dashboard/config/ConfigDashboard.ts"
import type { DashboardReferences } from "../../../src/dashboard/config/references.ts"
import type { Dashboard } from "../../../src/dashboard/Dashboard.ts"
import { webCrypto } from "../../webCrypto.ts"

export const logs = "a".repeat(24)
export const traces = "b".repeat(24)
export const metrics = "c".repeat(24)
export const sessions = "d".repeat(24)
export const promql = "2".repeat(24)
export const connection = "e".repeat(24)
const otherConnection = "f".repeat(24)
export const linkedDashboard = "1".repeat(24)
export const unknownId = "9".repeat(24)

const references: DashboardReferences = {
  sources: [
    { id: logs, kind: "log", connection },
    { id: traces, kind: "trace", connection },
    { id: metrics, kind: "metric", connection: otherConnection },
    { id: sessions, kind: "session", connection },
    { id: promql, kind: "promql", connection }
  ],
  connectionIds: [connection, otherConnection],
  dashboardIds: [linkedDashboard]
}

export interface Fields {
  readonly [name: string]: unknown
}

export const count = { aggFn: "count" }
export const sum = { aggFn: "sum", valueExpression: "Duration" }
export const line = { displayType: "line", sourceId: logs, select: [count] }
export const table = { displayType: "table", sourceId: logs, select: [count] }
export const numberChart = { displayType: "number", sourceId: logs, select: [count] }
export const pie = { displayType: "pie", sourceId: logs, select: [count] }
export const heatmap = { displayType: "heatmap", sourceId: traces, select: [{ valueExpression: "Duration" }] }
export const seriesHeatmap = { displayType: "heatmap", heatmapMode: "series", sourceId: logs, select: [count] }
export const markdown = { displayType: "markdown", markdown: "# Notes" }
export const sqlChart = { configType: "sql", displayType: "table", connectionId: connection, sqlTemplate: "SELECT 1" }
export const timeSeries = {
  type: "time",
  sourceId: logs,
  aggFn: "count",
  where: "level:error",
  whereLanguage: "lucene",
  groupBy: ["service"]
}

export const staticList = { type: "STATIC_LIST", name: "Tier", options: ["low", "high"] }
export const promqlLabel = { type: "PROMETHEUS_LABEL", name: "Pod", sourceId: promql, label: "pod" }
export const sourceFilter = {
  type: "SOURCE_FILTER",
  name: "Cluster",
  sourceId: logs,
  expression: "cluster",
  variableName: "cluster"
}

export const tile = (fields: Fields = {}): Fields => ({ name: "Errors", x: 0, y: 0, w: 6, h: 4, ...fields })
export const chart = (config: Fields): Fields => ({ name: "Errors", tiles: [tile({ config })] })
export const seriesOf = (...series: ReadonlyArray<unknown>): Fields => ({ name: "Errors", tiles: [tile({ series })] })
export const board = (fields: Fields = {}): Fields => ({ name: "Errors", tiles: [], ...fields })

const find = () => Effect.succeed(references)

export const validate = (body: unknown) => Effect.runSync(validateConfigDashboard(body, find))

export const make = (body: unknown) => makeConfigDashboard(body, find).pipe(Effect.provide(webCrypto))

export const replace = (stored: Dashboard, body: unknown) =>
  replaceConfigDashboard(stored, body, find).pipe(Effect.provide(webCrypto))

/** The message with which a body is refused. */
export const refusal = (body: unknown) => Effect.map(Effect.flip(make(body)), ({ message }) => message)
