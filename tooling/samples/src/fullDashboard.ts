import { exampleIds } from "@headgate/core/adapter"
import type * as Schema from "effect/Schema"

const place = { x: 0, y: 0, w: 12, h: 4, containerId: "service", tabId: "errors" }
const errors = { where: "level:error", whereLanguage: "lucene" }
const { connectionId, sourceId } = exampleIds

// A service takes either `series` or `config`. The client passes on both.
const line = {
  name: "Errors per second",
  ...place,
  asRatio: false,
  series: [
    {
      type: "time",
      dataSource: "metrics",
      aggFn: "sum",
      ...errors,
      groupBy: ["service"],
      sourceId,
      field: "value",
      metricName: "errors",
      metricDataType: "sum"
    }
  ],
  config: { displayType: "line", sourceId, select: [{ aggFn: "sum", valueExpression: "value", ...errors }] }
}
const heatmap = {
  name: "Errors by service",
  ...place,
  y: 4,
  config: {
    displayType: "heatmap",
    heatmapMode: "series",
    sourceId,
    select: [
      { aggFn: "max", valueExpression: "value", metricName: "errors", metricType: "gauge", periodAggFn: "delta" }
    ],
    groupBy: "service"
  }
}
const number = {
  name: "All errors",
  ...place,
  y: 8,
  config: {
    configType: "sql",
    displayType: "number",
    connectionId,
    sqlTemplate: "SELECT count() FROM otel_logs",
    colorRules: [{ operator: "gt", value: 10, color: "chart-red", label: "high" }]
  }
}

const filters = [
  { id: "f1", type: "QUERY_EXPRESSION", name: "Host", expression: "host", sourceId, maxSelections: 1 },
  {
    id: "f2",
    type: "STATIC_LIST",
    name: "Tier",
    options: ["low", "high"],
    isBroadcastEnabled: false,
    isVariableEnabled: true,
    minSelections: 1,
    isGlobalRequirement: true
  },
  {
    id: "f3",
    type: "PROMETHEUS_LABEL",
    name: "Pod",
    sourceId: "65f5e4a3b9e77c001a567894",
    label: "pod",
    match: 'up{job="api"}',
    isBroadcastEnabled: false,
    isVariableEnabled: true
  },
  {
    id: "f4",
    type: "SOURCE_FILTER",
    name: "Cluster",
    sourceId,
    expression: "cluster",
    variableName: "cluster",
    isBroadcastEnabled: true,
    isVariableEnabled: true
  }
]

const tiles: ReadonlyArray<Schema.JsonObject> = [line, heatmap, number]
const request = {
  name: "Errors",
  tiles,
  tags: ["ops"],
  savedQuery: "level:error",
  savedQueryLanguage: "lucene",
  savedFilterValues: [
    { type: "sql", condition: "service = 'shop'" },
    { type: "variable", name: "cluster", values: [], all: true }
  ],
  containers: [{ id: "service", title: "Service", collapsed: false, tabs: [{ id: "errors", title: "Errors" }] }],
  filters
}
const storedTiles = tiles.map((tile, index) => ({ id: `t${index + 1}`, ...tile }))
const dashboard = { id: exampleIds.dashboardId, ...request, tiles: storedTiles }

/** Requests and answers of the operations on dashboards, with tiles and filters of every kind. */
export const fullDashboards = {
  create: { payload: request, success: dashboard },
  list: { success: [dashboard] },
  validate: {
    payload: request,
    success: { valid: false, errors: [{ path: "name", message: "Expected a name" }], normalized: null }
  },
  get: { success: dashboard },
  update: { payload: { ...request, tiles: storedTiles }, success: dashboard },
  delete: {}
}
