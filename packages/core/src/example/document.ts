import type * as Schema from "effect/Schema"
import { exampleIds } from "./ids.ts"

/** Examples of the operations on one kind of documents. */
const documentExamples = (payload: Schema.JsonObject, success: Schema.JsonObject) => ({
  create: { payload, success },
  list: { success: [success] },
  get: { success },
  update: { payload, success },
  delete: {}
})

const connection = {
  name: "production",
  host: "https://db.example.com:8443",
  username: "dashboards",
  hyperdxSettingPrefix: "team_",
  prometheusEndpoint: "https://db.example.com:9363"
}

/** Examples of the operations on connections. */
export const connectionExamples = documentExamples(
  { ...connection, password: "<secret password>" },
  { id: exampleIds.connectionId, ...connection }
)

const source = {
  name: "Logs",
  kind: "log",
  connection: exampleIds.connectionId,
  from: { databaseName: "default", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp"
}

/** Examples of the operations on data sources. */
export const sourceExamples = documentExamples(source, { id: exampleIds.sourceId, ...source })

const savedSearch = {
  name: "Errors",
  sourceId: exampleIds.sourceId,
  select: "Timestamp, Body",
  where: "level:error",
  whereLanguage: "lucene",
  orderBy: "Timestamp DESC",
  tags: ["ops"]
}

/** Examples of the operations on saved searches. */
export const savedSearchExamples = documentExamples(savedSearch, { id: exampleIds.savedSearchId, ...savedSearch })

const webhook = {
  name: "On call",
  service: "generic",
  url: "https://hooks.example.com/T0/<secret>",
  description: "Night shift",
  body: "{{title}}"
}

/** Examples of the operations on webhooks. */
export const webhookExamples = documentExamples(
  { ...webhook, headers: { authorization: "Bearer <secret>" }, queryParams: { token: "<secret token>" } },
  { id: exampleIds.webhookId, ...webhook }
)

const alert = {
  name: "Too many errors",
  source: "saved_search",
  savedSearchId: exampleIds.savedSearchId,
  groupBy: "service",
  threshold: 100,
  thresholdType: "above",
  interval: "5m",
  message: "Errors",
  channel: { type: "webhook", webhookId: exampleIds.webhookId }
}

/** Examples of the operations on alerts. */
export const alertExamples = documentExamples(alert, { id: exampleIds.alertId, ...alert })
