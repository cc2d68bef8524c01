import type * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import type { Examples } from "../Operation.ts"
import type { dashboardOperations } from "./dashboardOperations.ts"
import type {
  alertOperations,
  connectionOperations,
  savedSearchOperations,
  sourceOperations,
  webhookOperations
} from "./sourceOperations.ts"

/** A tile and its dashboard, with ids, in each dialect. */
const examplesOf = (
  tile: Schema.JsonObject,
  { dashboardId, more, tileId }: { readonly dashboardId: string; readonly tileId: string; readonly more: object },
  invalid: Schema.JsonObject
): Examples<ReturnType<typeof dashboardOperations>> => {
  const request = { name: "Errors", tiles: [tile], tags: ["prod"] }
  const dashboard = { id: dashboardId, name: "Errors", tiles: [{ id: tileId, ...tile }], tags: ["prod"], ...more }
  return {
    create: { payload: request, success: dashboard },
    list: { success: [dashboard] },
    validate: { payload: { name: "Errors", tiles: [{ ...tile, w: 0 }] }, success: invalid },
    get: { success: dashboard },
    update: { payload: { ...request, tiles: dashboard.tiles }, success: dashboard },
    delete: {}
  }
}

const place = { name: "Errors", x: 0, y: 0, w: 12, h: 4 }

const chart = {
  displayType: "line",
  sourceId: "65f5e4a3b9e77c001a567891",
  select: [{ aggFn: "count", valueExpression: "", where: "level:error", whereLanguage: "lucene" }],
  asRatio: false,
  fillNulls: true
}

/** Examples of the operations on dashboards in a dialect: the same in both APIs. */
export const dashboardExamples = ({ name }: Dialect): Examples<ReturnType<typeof dashboardOperations>> =>
  name === "clickhouse"
    ? examplesOf(
        { ...place, config: chart },
        {
          dashboardId: "65f5e4a3b9e77c001a567896",
          tileId: "65f5e4a3b9e77c001a567897",
          more: { filters: [], savedQuery: null, savedQueryLanguage: null, savedFilterValues: [] }
        },
        {
          valid: false,
          errors: [{ path: "tiles.0.w", message: "Number must be greater than or equal to 1" }],
          normalized: null
        }
      )
    : examplesOf(
        { ...place, series: [{ type: "time", aggFn: "count", where: "level:error" }] },
        {
          dashboardId: "2c1079cf-97e2-4e47-a17a-0de95574bfbd",
          tileId: "7970148c-2cee-4d28-a8e5-2ea9b54362ac",
          more: {}
        },
        { valid: false, errors: [{ path: "tiles[0].w", message: "Expected a number greater than 0" }] }
      )

/** Examples of the operations on one kind of documents. */
const documentExamples = (payload: Schema.JsonObject, success: Schema.JsonObject) => ({
  create: { payload, success },
  list: { success: [success] },
  get: { success },
  update: { payload, success },
  delete: {}
})

const connectionFields = { name: "production", host: "https://db.example.com:8443", username: "dashboards" }
const connectionRequest = { ...connectionFields, password: "secret" }
const connection = { id: "65f5e4a3b9e77c001a567890", ...connectionFields }

/** Examples of the operations on connections. */
export const connectionExamples: Examples<ReturnType<typeof connectionOperations>> = documentExamples(
  connectionRequest,
  connection
)

const sourceRequest = {
  name: "Logs",
  kind: "log",
  connection: "65f5e4a3b9e77c001a567890",
  from: { databaseName: "default", tableName: "otel_logs" }
}

const source = { id: "65f5e4a3b9e77c001a567891", ...sourceRequest }

/** Examples of the operations on data sources. */
export const sourceExamples: Examples<ReturnType<typeof sourceOperations>> = documentExamples(sourceRequest, source)

const savedSearchRequest = { name: "Errors", sourceId: "65f5e4a3b9e77c001a567891", where: "level:error" }

/** Examples of the operations on saved searches. */
export const savedSearchExamples: Examples<ReturnType<typeof savedSearchOperations>> = documentExamples(
  savedSearchRequest,
  { id: "65f5e4a3b9e77c001a567892", ...savedSearchRequest }
)

const webhookFields = { name: "On call", service: "generic", url: "https://hooks.example.com/T0/secret" }

/** Examples of the operations on webhooks. */
export const webhookExamples: Examples<ReturnType<typeof webhookOperations>> = documentExamples(
  { ...webhookFields, headers: { authorization: "Bearer secret" } },
  { id: "65f5e4a3b9e77c001a567893", ...webhookFields }
)

const alertRequest = {
  name: "Too many errors",
  savedSearchId: "65f5e4a3b9e77c001a567892",
  threshold: 100,
  interval: "5m",
  channel: { type: "webhook", webhookId: "65f5e4a3b9e77c001a567893" }
}

/** Examples of the operations on alerts. */
export const alertExamples: Examples<ReturnType<typeof alertOperations>> = documentExamples(alertRequest, {
  id: "65f5e4a3b9e77c001a567894",
  ...alertRequest
})
