import type * as Schema from "effect/Schema"

/** The path parameters of the examples of documents. */
export const documentIds = {
  connectionId: "65f5e4a3b9e77c001a567890",
  sourceId: "65f5e4a3b9e77c001a567891",
  savedSearchId: "65f5e4a3b9e77c001a567892",
  webhookId: "65f5e4a3b9e77c001a567893",
  alertId: "65f5e4a3b9e77c001a567894",
  dashboardRoleId: "65f5e4a3b9e77c001a567895"
} as const

/** Examples of the operations on one kind of documents. */
const examplesOf = (payload: Schema.JsonObject, success: Schema.JsonObject) => ({
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

const source = {
  name: "Logs",
  kind: "log",
  connection: documentIds.connectionId,
  from: { databaseName: "default", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp"
}

const savedSearch = {
  name: "Errors",
  sourceId: documentIds.sourceId,
  select: "Timestamp, Body",
  where: "level:error",
  whereLanguage: "lucene",
  orderBy: "Timestamp DESC",
  tags: ["ops"]
}

const webhook = {
  name: "On call",
  service: "generic",
  url: "https://hooks.example.com/T0/<secret>",
  description: "Night shift",
  body: "{{title}}"
}

const alert = {
  name: "Too many errors",
  source: "saved_search",
  savedSearchId: documentIds.savedSearchId,
  groupBy: "service",
  threshold: 100,
  thresholdType: "above",
  interval: "5m",
  message: "Errors",
  channel: { type: "webhook", webhookId: documentIds.webhookId }
}

const times = { createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" }
const teamId = "5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11"

const storedAlert = {
  id: documentIds.alertId,
  ...alert,
  displayName: savedSearch.name,
  tags: savedSearch.tags,
  note: null,
  numConsecutiveWindows: null,
  channels: [alert.channel],
  state: "OK",
  teamId
}

const dashboardRole = {
  name: "Readers",
  description: "Read all dashboards",
  permissions: [
    { action: "read", subject: "Dashboard", integration: "mongodb", fields: ["name"], inverted: false },
    {
      action: "read",
      subject: "Source",
      integration: "clickhouse",
      conditions: {
        connection: documentIds.connectionId,
        from: source.from,
        where: "ServiceName = 'checkout'",
        whereLanguage: "sql"
      }
    }
  ]
}

/** Examples of the operations on the documents beside dashboards, by noun. */
export const documentExamples = {
  connection: examplesOf(
    { ...connection, password: "<secret password>" },
    { id: documentIds.connectionId, ...connection }
  ),
  source: examplesOf(source, { id: documentIds.sourceId, ...source }),
  savedSearch: examplesOf(savedSearch, {
    id: documentIds.savedSearchId,
    ...savedSearch,
    filters: [],
    teamId,
    ...times
  }),
  webhook: {
    ...examplesOf(
      { ...webhook, headers: { authorization: "Bearer <secret>" }, queryParams: { token: "<secret token>" } },
      { id: documentIds.webhookId, ...webhook, ...times }
    ),
    validate: {
      payload: { ...webhook, name: "" },
      success: {
        valid: false,
        errors: [{ path: "name", message: "Expected 1 to 1024 characters" }],
        normalized: null
      }
    }
  },
  alert: examplesOf(alert, { ...storedAlert, ...times }),
  dashboardRole: examplesOf(dashboardRole, {
    id: documentIds.dashboardRoleId,
    ...dashboardRole,
    isPredefined: false,
    ...times
  })
}
