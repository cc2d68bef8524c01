import { type } from "arktype"

const column = type({ "name?": "string | null", "type?": "string | null" })

const tableDefinition = type({
  "engine?": type({ "columnIds?": "string[] | null", "versionColumnId?": "string | null" }).or("null"),
  "partitionBy?": "string | null",
  "primaryKey?": "string | null",
  "sortingKey?": "string[] | null"
})

const destination = type({
  "database?": "string | null",
  "table?": "string | null",
  "managedTable?": "boolean | null",
  "columns?": column.array().or("null"),
  "tableDefinition?": tableDefinition.or("null")
})

const settings = type({
  "db_max_download_threads?": "number.integer | null",
  "db_max_insert_threads?": "number.integer | null",
  "db_max_threads?": "number.integer | null",
  "db_min_insert_block_size_bytes?": "number.integer | null",
  "db_parallel_distributed_insert_select?": "number.integer | null",
  "db_parallel_view_processing?": "boolean | null",
  "object_storage_concurrency?": "number.integer | null",
  "object_storage_max_file_count?": "number.integer | null",
  "object_storage_max_insert_bytes?": "number.integer | null",
  "object_storage_polling_interval_ms?": "number.integer | null",
  "object_storage_use_cluster_function?": "boolean | null",
  "streaming_max_insert_wait_ms?": "number.integer | null"
})

const kafka = type({
  "brokers?": "string | null",
  "topics?": "string | null",
  "consumerGroup?": "string | null",
  "caCertificate?": "string | null",
  "iamRole?": "string | null",
  "offset?": type({ "timestamp?": "string | null" }).or("null"),
  "reversePrivateEndpointIds?": "string[] | null",
  "schemaRegistry?": type({
    "url?": "string | null",
    "authentication?": "string | null",
    "caCertificate?": "string | null"
  }).or("null")
})

const kinesis = type({
  "streamName?": "string | null",
  "region?": "string | null",
  "iamRole?": "string | null",
  "timestamp?": "number.integer | null",
  "useEnhancedFanOut?": "boolean | null"
})

const objectStorage = type({
  "url?": "string | null",
  "path?": "string | null",
  "azureContainerName?": "string | null",
  "connectionString?": "string | null",
  "iamRole?": "string | null",
  "queueUrl?": "string | null",
  "compression?": "string | null",
  "delimiter?": "string | null",
  "isContinuous?": "boolean | null"
})

const postgresSettings = type({
  "allowNullableColumns?": "boolean | null",
  "enableFailoverSlots?": "boolean | null",
  "initialLoadParallelism?": "number.integer | null",
  "publicationName?": "string | null",
  "pullBatchSize?": "number.integer | null",
  "replicationSlotName?": "string | null",
  "snapshotNumRowsPerPartition?": "number.integer | null",
  "snapshotNumberOfParallelTables?": "number.integer | null",
  "syncIntervalSeconds?": "number.integer | null"
})

const tableMapping = type({
  "sourceSchemaName?": "string | null",
  "sourceTable?": "string | null",
  "targetTable?": "string | null",
  "excludedColumns?": "string[] | null",
  "sortingKeys?": "string[] | null",
  "useCustomSortingKey?": "boolean | null"
})

/** The domain's `Pipe` in ArkType. */
export const arktypePipe = type({
  id: "string.uuid",
  serviceId: "string.uuid",
  name: "string",
  state: "string",
  "createdAt?": "string.date.iso | null",
  "updatedAt?": "string.date.iso | null",
  "destination?": destination.or("null"),
  "fieldMappings?": type({ "sourceField?": "string | null", "destinationField?": "string | null" }).array().or("null"),
  "scaling?": type({
    "concurrency?": "number.integer | null",
    "replicas?": "number.integer | null",
    "replicaCpuMillicores?": "number.integer | null",
    "replicaMemoryGb?": "number | null"
  }).or("null"),
  "settings?": settings.or("null"),
  "source?": type({
    "kafka?": kafka.or("null"),
    "kinesis?": kinesis.or("null"),
    "objectStorage?": objectStorage.or("null"),
    "postgres?": type({
      "host?": "string | null",
      "port?": "number.integer | null",
      "database?": "string | null",
      "settings?": postgresSettings.or("null"),
      "tableMappings?": tableMapping.array().or("null")
    }).or("null")
  }).or("null")
})
