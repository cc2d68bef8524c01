import type { PipeSourceKind } from "../../src/pipe/PipeSource.ts"
import type { ContractFields } from "../contract/ContractField.ts"

/** The kinds of source that the contract shows. */
export type ShownKind = Exclude<PipeSourceKind, "none" | "several">

/** Section 2.2 but for `source`, written off the contract and not off the schema. */
const shared: ContractFields = {
  id: "uuid",
  name: "string",
  serviceId: "uuid",
  state: "string",
  createdAt: "date-time",
  updatedAt: "date-time",
  destination: "object",
  "destination.database": "string",
  "destination.table": "string",
  "destination.managedTable": "boolean",
  "destination.columns": "objects",
  "destination.columns[0].name": "string",
  "destination.columns[0].type": "string",
  "destination.tableDefinition": "object",
  "destination.tableDefinition.engine": "object",
  "destination.tableDefinition.engine.columnIds": "strings",
  "destination.tableDefinition.engine.versionColumnId": "string",
  "destination.tableDefinition.partitionBy": "string",
  "destination.tableDefinition.primaryKey": "string",
  "destination.tableDefinition.sortingKey": "strings",
  fieldMappings: "objects",
  "fieldMappings[0].sourceField": "string",
  "fieldMappings[0].destinationField": "string",
  scaling: "object",
  "scaling.concurrency": "integer",
  "scaling.replicas": "integer",
  "scaling.replicaCpuMillicores": "integer",
  "scaling.replicaMemoryGb": "number",
  settings: "object",
  "settings.db_max_download_threads": "integer",
  "settings.db_max_insert_threads": "integer",
  "settings.db_max_threads": "integer",
  "settings.db_min_insert_block_size_bytes": "integer",
  "settings.db_parallel_distributed_insert_select": "integer",
  "settings.db_parallel_view_processing": "boolean",
  "settings.object_storage_concurrency": "integer",
  "settings.object_storage_max_file_count": "integer",
  "settings.object_storage_max_insert_bytes": "integer",
  "settings.object_storage_polling_interval_ms": "integer",
  "settings.object_storage_use_cluster_function": "boolean",
  "settings.streaming_max_insert_wait_ms": "integer",
  source: "object"
}

/** Section 2.2.4, a kind each. */
const bySource: Readonly<Record<ShownKind, ContractFields>> = {
  kafka: {
    "source.kafka": "object",
    "source.kafka.brokers": "string",
    "source.kafka.topics": "string",
    "source.kafka.consumerGroup": "string",
    "source.kafka.caCertificate": "string",
    "source.kafka.iamRole": "string",
    "source.kafka.offset": "object",
    "source.kafka.offset.timestamp": "string",
    "source.kafka.reversePrivateEndpointIds": "strings",
    "source.kafka.schemaRegistry": "object",
    "source.kafka.schemaRegistry.url": "string",
    "source.kafka.schemaRegistry.authentication": "string",
    "source.kafka.schemaRegistry.caCertificate": "string"
  },
  kinesis: {
    "source.kinesis": "object",
    "source.kinesis.streamName": "string",
    "source.kinesis.region": "string",
    "source.kinesis.iamRole": "string",
    "source.kinesis.timestamp": "integer",
    "source.kinesis.useEnhancedFanOut": "boolean"
  },
  objectStorage: {
    "source.objectStorage": "object",
    "source.objectStorage.url": "string",
    "source.objectStorage.path": "string",
    "source.objectStorage.azureContainerName": "string",
    "source.objectStorage.connectionString": "string",
    "source.objectStorage.iamRole": "string",
    "source.objectStorage.queueUrl": "string",
    "source.objectStorage.compression": "string",
    "source.objectStorage.delimiter": "string",
    "source.objectStorage.isContinuous": "boolean"
  },
  postgres: {
    "source.postgres": "object",
    "source.postgres.host": "string",
    "source.postgres.port": "integer",
    "source.postgres.database": "string",
    "source.postgres.settings": "object",
    "source.postgres.settings.allowNullableColumns": "boolean",
    "source.postgres.settings.enableFailoverSlots": "boolean",
    "source.postgres.settings.initialLoadParallelism": "integer",
    "source.postgres.settings.publicationName": "string",
    "source.postgres.settings.pullBatchSize": "integer",
    "source.postgres.settings.replicationSlotName": "string",
    "source.postgres.settings.snapshotNumRowsPerPartition": "integer",
    "source.postgres.settings.snapshotNumberOfParallelTables": "integer",
    "source.postgres.settings.syncIntervalSeconds": "integer",
    "source.postgres.tableMappings": "objects",
    "source.postgres.tableMappings[0].sourceSchemaName": "string",
    "source.postgres.tableMappings[0].sourceTable": "string",
    "source.postgres.tableMappings[0].targetTable": "string",
    "source.postgres.tableMappings[0].excludedColumns": "strings",
    "source.postgres.tableMappings[0].sortingKeys": "strings",
    "source.postgres.tableMappings[0].useCustomSortingKey": "boolean"
  }
}

/** The fields of a pipe that reads from one kind of source. */
export const fieldsOfKind = (kind: ShownKind): ContractFields => ({ ...shared, ...bySource[kind] })

/** Every field of section 2.2. */
export const allPipeFields: ContractFields = {
  ...shared,
  ...bySource.kafka,
  ...bySource.kinesis,
  ...bySource.objectStorage,
  ...bySource.postgres
}
