import type * as Schema from "effect/Schema"

export const organizationId = "a0000000-0000-4000-8000-000000000001"
export const serviceId = "b0000000-0000-4000-8000-000000000001"
export const pipeId = "c0000000-0000-4000-8000-000000000001"
export const requestId = "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"

/** The settings of docs/wire-contract.md#settings by neutral name, and two that it does not name: one of the database, one not. */
const settings = {
  db_max_download_threads: 4,
  db_max_insert_threads: null,
  db_max_threads: 8,
  db_min_insert_block_size_bytes: 1_073_741_824,
  db_parallel_distributed_insert_select: 2,
  db_parallel_view_processing: false,
  object_storage_concurrency: 1,
  object_storage_max_file_count: 100,
  object_storage_max_insert_bytes: 10_737_418_240,
  object_storage_polling_interval_ms: 30_000,
  object_storage_use_cluster_function: true,
  streaming_max_insert_wait_ms: 5000,
  db_new_in_the_service: { nested: [1, null] },
  new_in_the_service: "kept"
}

/** The same settings by the names of the real service. */
const clickhouseSettings = {
  clickhouse_max_download_threads: 4,
  clickhouse_max_insert_threads: null,
  clickhouse_max_threads: 8,
  clickhouse_min_insert_block_size_bytes: 1_073_741_824,
  clickhouse_parallel_distributed_insert_select: 2,
  clickhouse_parallel_view_processing: false,
  object_storage_concurrency: 1,
  object_storage_max_file_count: 100,
  object_storage_max_insert_bytes: 10_737_418_240,
  object_storage_polling_interval_ms: 30_000,
  object_storage_use_cluster_function: true,
  streaming_max_insert_wait_ms: 5000,
  clickhouse_new_in_the_service: { nested: [1, null] },
  new_in_the_service: "kept"
}

const pipe = {
  id: pipeId,
  name: "exports",
  serviceId,
  state: "Running",
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-31T12:00:00.123456+02:00",
  destination: { database: "default", table: "exports", managedTable: true, columns: [{ name: "id", type: "UUID" }] },
  scaling: { replicas: 2, replicaMemoryGb: 0.5 },
  source: {
    objectStorage: { url: "https://acme.blob.example.com/exports/*", connectionString: "AccountKey=c2VjcmV0" }
  },
  db_new_in_the_service: true
}

/** One pipe on the wire in each dialect. */
export const pipeDocuments: Readonly<Record<"neutral" | "clickhouse", Schema.JsonObject>> = {
  neutral: { ...pipe, settings },
  clickhouse: { ...pipe, settings: clickhouseSettings }
}

export const apiKeyCreateDocument: Schema.JsonObject = {
  name: "ci",
  expireAt: "2027-01-02T03:04:05Z",
  state: "disabled",
  roles: ["developer"],
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
}

export const createdApiKeyDocument: Schema.JsonObject = {
  key: {
    id: "d0000000-0000-4000-8000-000000000001",
    ...apiKeyCreateDocument,
    keySuffix: "Xy9Z",
    createdAt: "2026-01-31T12:00:00Z"
  },
  keyId: "AbCdEfGhIjKlMnOpXy9Z",
  keySecret: "hgs_not-a-secret"
}

export const dashboardCreateDocument: Schema.JsonObject = {
  name: "Errors",
  tiles: [{ name: "by service", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count" }] }],
  tags: ["prod"]
}

export const dashboardDocument: Schema.JsonObject = {
  id: "65f0c0ffee",
  name: "Errors",
  tiles: [{ id: "tile-1", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count" }] }],
  tags: ["prod"]
}

const chart = {
  displayType: "table",
  sourceId: "65f5e4a3b9e77c001a567891",
  select: [{ aggFn: "quantile", level: 0.95, valueExpression: "Duration", numberFormat: { output: "duration" } }],
  onClick: { type: "external", urlTemplate: "https://example.test/{{host}}" },
  formulas: [{ expression: "A * 2" }]
}
const query = {
  configType: "sql",
  displayType: "pie",
  connectionId: "65f5e4a3b9e77c001a567890",
  sqlTemplate: "SELECT 1"
}
const configTiles = [
  { name: "By host", x: 0, y: 0, w: 12, h: 4, config: chart },
  { name: "Shares", x: 12, y: 0, w: 12, h: 4, config: query, containerId: "service" }
]
const containers = [{ id: "service", title: "Service", collapsed: false }]

/** The request for a dashboard of today's service. */
export const configDashboardCreateDocument: Schema.JsonObject = { name: "Errors", tiles: configTiles, containers }

/** A dashboard of today's service. */
export const configDashboardDocument: Schema.JsonObject = {
  id: "65f5e4a3b9e77c001a567896",
  name: "Errors",
  tiles: configTiles.map((tile, index) => ({ id: `65f5e4a3b9e77c001a56789${index}`, ...tile })),
  tags: [],
  filters: [],
  savedQuery: null,
  savedQueryLanguage: null,
  savedFilterValues: [],
  containers
}
