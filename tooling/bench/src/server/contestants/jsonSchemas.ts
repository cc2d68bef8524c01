/**
 * The contract as JSON Schema, as a Fastify user writes it: for ajv (requests) and fast-json-stringify (responses).
 * Responses without `additionalProperties` are the fast way: unknown fields are dropped, which headgate keeps.
 */

const text = { type: "string" }
const integer = { type: "integer" }
const number = { type: "number" }
const flag = { type: "boolean" }
const uuid = { type: "string", format: "uuid" }
const list = (items: object, limits: object = {}) => ({ type: "array", items, ...limits })
const oneOf = (...values: ReadonlyArray<string>) => ({ type: "string", enum: values })

const object = (properties: Record<string, object>, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
})

/** Fields of one type. */
const fields = (type: object, ...names: ReadonlyArray<string>): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, type]))

const pipe = object({
  ...fields(text, "id", "serviceId", "name", "state", "createdAt", "updatedAt"),
  destination: object({
    ...fields(text, "database", "table"),
    managedTable: flag,
    columns: list(object(fields(text, "name", "type"))),
    tableDefinition: object({
      engine: object({ columnIds: list(text), versionColumnId: text }),
      ...fields(text, "partitionBy", "primaryKey"),
      sortingKey: list(text)
    })
  }),
  fieldMappings: list(object(fields(text, "sourceField", "destinationField"))),
  scaling: object({ ...fields(integer, "concurrency", "replicas", "replicaCpuMillicores"), replicaMemoryGb: number }),
  settings: object({
    ...fields(integer, "db_max_download_threads", "db_max_insert_threads", "db_max_threads"),
    ...fields(integer, "db_min_insert_block_size_bytes", "db_parallel_distributed_insert_select"),
    db_parallel_view_processing: flag,
    ...fields(integer, "object_storage_concurrency", "object_storage_max_file_count"),
    ...fields(integer, "object_storage_max_insert_bytes", "object_storage_polling_interval_ms"),
    object_storage_use_cluster_function: flag,
    streaming_max_insert_wait_ms: integer
  }),
  source: object({
    kafka: object({
      ...fields(text, "brokers", "topics", "consumerGroup", "caCertificate", "iamRole"),
      offset: object({ timestamp: text }),
      reversePrivateEndpointIds: list(text),
      schemaRegistry: object(fields(text, "url", "authentication", "caCertificate"))
    }),
    postgres: object({
      ...fields(text, "type", "host", "database", "authentication", "tlsHost", "caCertificate"),
      port: integer,
      settings: object({
        ...fields(text, "replicationMode", "publicationName", "replicationSlotName"),
        ...fields(integer, "syncIntervalSeconds", "pullBatchSize", "initialLoadParallelism"),
        ...fields(integer, "snapshotNumRowsPerPartition", "snapshotNumberOfParallelTables")
      }),
      tableMappings: list(
        object({
          ...fields(text, "sourceSchemaName", "sourceTable", "targetTable", "tableEngine"),
          excludedColumns: list(text),
          useCustomSortingKey: flag,
          sortingKeys: list(text)
        })
      )
    })
  })
})

const ipAccessList = list(object(fields(text, "source", "description"), ["source"]))

const key = object({
  ...fields(text, "id", "name", "state", "keySuffix", "createdAt", "expireAt"),
  roles: list(text),
  assignedRoles: list(object(fields(text, "roleId", "roleName", "roleType"))),
  ipAccessList
})

const series = {
  ...fields(text, "type", "dataSource", "aggFn", "where", "whereLanguage"),
  groupBy: list(text),
  ...fields(text, "sourceId", "field", "metricName", "metricDataType")
}
const tile = { name: text, ...fields(number, "x", "y", "w", "h"), asRatio: flag }

const seriesCreate = object({
  ...series,
  type: oneOf("time", "table", "number", "histogram", "search", "markdown"),
  dataSource: oneOf("events", "metrics"),
  aggFn: oneOf("avg", "count", "count_distinct", "last_value", "max", "min", "quantile", "sum"),
  whereLanguage: oneOf("lucene", "sql"),
  metricDataType: oneOf("sum", "gauge", "histogram")
})

const tileCreate = object(
  {
    ...tile,
    ...fields({ type: "number", minimum: 0 }, "x", "y"),
    ...fields({ type: "number", exclusiveMinimum: 0 }, "w", "h"),
    series: list(seriesCreate)
  },
  ["x", "y", "w", "h"]
)

const envelope = (result: object) => ({ 200: object({ status: integer, requestId: text, result }) })

export const getPipeSchema = {
  params: object({ organizationId: uuid, serviceId: uuid, pipeId: uuid }),
  response: envelope(pipe)
}

export const getPipesSchema = {
  params: object({ organizationId: uuid, serviceId: uuid }),
  response: envelope(list(pipe))
}

export const postKeySchema = {
  params: object({ organizationId: uuid }),
  body: object(
    {
      name: { type: "string", minLength: 1, maxLength: 255 },
      roles: list(oneOf("admin", "developer", "query_endpoints"), { minItems: 1 }),
      expireAt: { type: "string", format: "date-time" },
      ipAccessList
    },
    ["name"]
  ),
  response: envelope(object({ key, ...fields(text, "keyId", "keySecret") }))
}

export const patchStateSchema = {
  params: object({ organizationId: uuid, serviceId: uuid, pipeId: uuid }),
  body: object({ command: oneOf("start", "stop", "resync") }, ["command"]),
  response: envelope(pipe)
}

export const postDashboardSchema = {
  body: object(
    {
      name: { type: "string", minLength: 1, maxLength: 1024 },
      tiles: list(tileCreate, { maxItems: 500 }),
      tags: list({ type: "string", minLength: 1, maxLength: 32 }, { maxItems: 50 })
    },
    ["name"]
  ),
  response: {
    200: object({
      data: object({
        id: text,
        name: text,
        tiles: list(object({ id: text, ...tile, series: list(object(series)) })),
        tags: list(text)
      })
    })
  }
}

export const putDashboardSchema = { params: object({ dashboardId: text }), ...postDashboardSchema }
