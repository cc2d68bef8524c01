import type * as Schema from "effect/Schema"
import type { ContractFields } from "../contract/ContractField.ts"

/** docs/wire-contract.md#fields-of-a-dashboard, its tiles and series, and the fields of the dialect clickhouse. */
const tileFields: ContractFields = {
  name: "string",
  x: "number",
  y: "number",
  w: "number",
  h: "number",
  asRatio: "boolean",
  series: "objects",
  "series[0].type": "string",
  "series[0].dataSource": "string",
  "series[0].aggFn": "string",
  "series[0].where": "string",
  "series[0].whereLanguage": "string",
  "series[0].groupBy": "strings",
  "series[0].sourceId": "string",
  "series[0].field": "string",
  "series[0].metricName": "string",
  "series[0].metricDataType": "string",
  config: "anything",
  containerId: "string",
  tabId: "string"
}

const tiles = Object.fromEntries(Object.entries(tileFields).map(([path, type]) => [`tiles[0].${path}`, type]))

/** The request body of docs/wire-contract.md#create-a-dashboard. */
export const dashboardCreateFields: ContractFields = {
  name: "string",
  tiles: "objects",
  ...tiles,
  tags: "strings",
  savedQuery: "string",
  savedQueryLanguage: "string",
  savedFilterValues: "list",
  containers: "list",
  filters: "list"
}

/** docs/wire-contract.md#fields-of-a-dashboard. */
export const dashboardFields: ContractFields = { id: "string", ...dashboardCreateFields, "tiles[0].id": "string" }

const tile = {
  name: "Errors by service",
  x: 0,
  y: 2.5,
  w: 12,
  h: 4,
  asRatio: false,
  series: [
    {
      type: "time",
      dataSource: "events",
      aggFn: "count",
      where: 'level:"error"',
      whereLanguage: "lucene",
      groupBy: ["service", "host"],
      sourceId: "65f0c0ffee",
      field: "duration",
      metricName: "http.server.duration",
      metricDataType: "histogram"
    }
  ],
  config: "as sent",
  containerId: "service",
  tabId: "errors"
}

const clickhouseFields = {
  savedQuery: "level:error",
  savedQueryLanguage: "lucene",
  savedFilterValues: ["as sent"],
  containers: ["as sent"],
  filters: ["as sent"]
}

/** A request that fills every field of the contract. */
export const dashboardCreateDocument: Schema.JsonObject = {
  name: "Errors",
  tiles: [tile],
  tags: ["prod", "on-call"],
  ...clickhouseFields
}

/** A dashboard that fills every field of the contract. Its ids are no UUIDs: the contract says "string". */
export const dashboardDocument: Schema.JsonObject = {
  id: "65f0c0ffee0000000000abcd",
  name: "Errors",
  tiles: [{ id: "tile-1", ...tile }],
  tags: ["prod", "on-call"],
  ...clickhouseFields
}
