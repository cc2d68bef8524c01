import { type } from "arktype"

/** Optional, nullable fields of one type. */
const fields = (definition: string, ...names: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${name}?`, `${definition} | null`]))
const text = (...names: ReadonlyArray<string>) => fields("string", ...names)
const texts = (...names: ReadonlyArray<string>) => fields("string[]", ...names)
const int = (...names: ReadonlyArray<string>) => fields("number.integer", ...names)
const flag = (...names: ReadonlyArray<string>) => fields("boolean", ...names)

const tableDefinition = type({
  "engine?": type({ ...texts("columnIds"), ...text("versionColumnId") }).or("null"),
  ...text("partitionBy", "primaryKey"),
  ...texts("sortingKey")
})

const destination = type({
  ...text("database", "table"),
  ...flag("managedTable"),
  "columns?": type(text("name", "type")).array().or("null"),
  "tableDefinition?": tableDefinition.or("null")
})

const settings = type({
  ...int("db_max_download_threads", "db_max_insert_threads", "db_max_threads", "db_min_insert_block_size_bytes"),
  ...int("db_parallel_distributed_insert_select", "object_storage_concurrency", "object_storage_max_file_count"),
  ...int("object_storage_max_insert_bytes", "object_storage_polling_interval_ms", "streaming_max_insert_wait_ms"),
  ...flag("db_parallel_view_processing", "object_storage_use_cluster_function")
})

const kafka = type({
  ...text("brokers", "topics", "consumerGroup", "caCertificate", "iamRole"),
  "offset?": type(text("timestamp")).or("null"),
  ...texts("reversePrivateEndpointIds"),
  "schemaRegistry?": type(text("url", "authentication", "caCertificate")).or("null")
})

const kinesis = type({
  ...text("streamName", "region", "iamRole"),
  ...int("timestamp"),
  ...flag("useEnhancedFanOut")
})

const objectStorage = type({
  ...text("url", "path", "azureContainerName", "connectionString", "iamRole", "queueUrl", "compression", "delimiter"),
  ...flag("isContinuous")
})

const postgresSettings = type({
  ...flag("allowNullableColumns", "enableFailoverSlots"),
  ...int("initialLoadParallelism", "pullBatchSize", "snapshotNumRowsPerPartition"),
  ...int("snapshotNumberOfParallelTables", "syncIntervalSeconds"),
  ...text("publicationName", "replicationSlotName")
})

const tableMapping = type({
  ...text("sourceSchemaName", "sourceTable", "targetTable"),
  ...texts("excludedColumns", "sortingKeys"),
  ...flag("useCustomSortingKey")
})

const postgres = type({
  ...text("host", "database"),
  ...int("port"),
  "settings?": postgresSettings.or("null"),
  "tableMappings?": tableMapping.array().or("null")
})

/** The domain's `Pipe` in ArkType. */
export const arktypePipe = type({
  id: "string.uuid",
  serviceId: "string.uuid",
  name: "string",
  state: "string",
  ...fields("string.date.iso", "createdAt", "updatedAt"),
  "destination?": destination.or("null"),
  "fieldMappings?": type(text("sourceField", "destinationField")).array().or("null"),
  "scaling?": type({
    ...int("concurrency", "replicas", "replicaCpuMillicores"),
    ...fields("number", "replicaMemoryGb")
  }).or("null"),
  "settings?": settings.or("null"),
  "source?": type({
    "kafka?": kafka.or("null"),
    "kinesis?": kinesis.or("null"),
    "objectStorage?": objectStorage.or("null"),
    "postgres?": postgres.or("null")
  }).or("null")
})
