/**
 * The contract as a Fastify user would write it: JSON Schema for ajv on the way in and fast-json-stringify on the way
 * out. No `additionalProperties` on the way out, which is the fast way; headgate keeps fields that nobody knows.
 */

const text = { type: "string" }
const integer = { type: "integer" }
const texts = { type: "array", items: text }
const uuid = { type: "string", format: "uuid" }

const object = (properties: Record<string, object>, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
})

const columns = { type: "array", items: object({ name: text, type: text }) }

const destination = object({
  database: text,
  table: text,
  managedTable: { type: "boolean" },
  columns,
  tableDefinition: object({
    engine: object({ columnIds: texts, versionColumnId: text }),
    partitionBy: text,
    primaryKey: text,
    sortingKey: texts
  })
})

const settings = object({
  db_max_download_threads: integer,
  db_max_insert_threads: integer,
  db_max_threads: integer,
  db_min_insert_block_size_bytes: integer,
  db_parallel_distributed_insert_select: integer,
  db_parallel_view_processing: { type: "boolean" },
  object_storage_concurrency: integer,
  object_storage_max_file_count: integer,
  object_storage_max_insert_bytes: integer,
  object_storage_polling_interval_ms: integer,
  object_storage_use_cluster_function: { type: "boolean" },
  streaming_max_insert_wait_ms: integer
})

const kafka = object({
  brokers: text,
  topics: text,
  consumerGroup: text,
  caCertificate: text,
  iamRole: text,
  offset: object({ timestamp: text }),
  reversePrivateEndpointIds: texts,
  schemaRegistry: object({ url: text, authentication: text, caCertificate: text })
})

const pipe = object({
  id: text,
  serviceId: text,
  name: text,
  state: text,
  createdAt: text,
  updatedAt: text,
  destination,
  fieldMappings: { type: "array", items: object({ sourceField: text, destinationField: text }) },
  scaling: object({
    concurrency: integer,
    replicas: integer,
    replicaCpuMillicores: integer,
    replicaMemoryGb: { type: "number" }
  }),
  settings,
  source: object({ kafka })
})

const ipAccessList = { type: "array", items: object({ source: text, description: text }, ["source"]) }

const key = object({
  id: text,
  name: text,
  state: text,
  roles: texts,
  keySuffix: text,
  createdAt: text,
  expireAt: text,
  ipAccessList
})

const envelope = (result: object) => object({ status: integer, requestId: text, result })

const series = object({
  type: text,
  dataSource: text,
  aggFn: text,
  where: text,
  whereLanguage: text,
  groupBy: texts,
  sourceId: text,
  field: text,
  metricName: text,
  metricDataType: text
})

const cells = { type: "number" }
const tileFields = { name: text, x: cells, y: cells, w: cells, h: cells, asRatio: { type: "boolean" } }
const tile = object({ id: text, ...tileFields, series: { type: "array", items: series } })
const dashboard = object({ id: text, name: text, tiles: { type: "array", items: tile }, tags: texts })

const oneOf = (...values: ReadonlyArray<string>) => ({ type: "string", enum: values })

const seriesCreate = object({
  ...series.properties,
  type: oneOf("time", "table", "number", "histogram", "search", "markdown"),
  dataSource: oneOf("events", "metrics"),
  aggFn: oneOf("avg", "count", "count_distinct", "last_value", "max", "min", "quantile", "sum"),
  whereLanguage: oneOf("lucene", "sql"),
  metricDataType: oneOf("sum", "gauge", "histogram")
})

const position = { type: "number", minimum: 0 }
const size = { type: "number", exclusiveMinimum: 0 }

const tileCreate = object(
  { ...tileFields, x: position, y: position, w: size, h: size, series: { type: "array", items: seriesCreate } },
  ["x", "y", "w", "h"]
)

export const getPipeSchema = {
  params: object({ organizationId: uuid, serviceId: uuid, pipeId: uuid }),
  response: { 200: envelope(pipe) }
}

export const postKeySchema = {
  params: object({ organizationId: uuid }),
  body: object(
    {
      name: { type: "string", minLength: 1, maxLength: 255 },
      roles: { type: "array", minItems: 1, items: oneOf("admin", "developer", "query_endpoints") },
      expireAt: { type: "string", format: "date-time" },
      ipAccessList
    },
    ["name"]
  ),
  response: { 200: envelope(object({ key, keyId: text, keySecret: text })) }
}

export const postDashboardSchema = {
  body: object(
    {
      name: { type: "string", minLength: 1, maxLength: 1024 },
      tiles: { type: "array", maxItems: 500, items: tileCreate },
      tags: { type: "array", maxItems: 50, items: { type: "string", minLength: 1, maxLength: 32 } }
    },
    ["name"]
  ),
  response: { 200: object({ data: dashboard }) }
}
