import type * as Schema from "effect/Schema"
import type { ShownKind } from "./pipeContract.ts"

/** The credential in {@link pipeDocuments}; it must show nowhere but on the wire. */
export const connectionString = "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=c2VjcmV0LW9mLWFjbWU="

const sources: Readonly<Record<ShownKind, Schema.JsonObject>> = {
  kafka: {
    type: "kafka",
    format: "AvroConfluent",
    brokers: "broker-1.example.com:9092,broker-2.example.com:9092",
    topics: "orders,refunds",
    consumerGroup: "text",
    authentication: "IAM_ROLE",
    iamRole: "text",
    offset: {
      strategy: "from_timestamp",
      timestamp: "2026-01-31T12:00"
    },
    schemaRegistry: {
      type: "confluent",
      glueRegion: "text",
      glueRegistryName: "text",
      glueRoleArn: "text",
      url: "https://registry.example.com",
      authentication: "PLAIN",
      caCertificate: ""
    },
    caCertificate: "text",
    reversePrivateEndpointIds: ["a", "b"],
    exactlyOnce: true,
    tombstoneMode: "text"
  },
  kinesis: {
    format: "JSONEachRow",
    streamName: "text",
    region: "text",
    useEnhancedFanOut: true,
    iteratorType: "AT_TIMESTAMP",
    timestamp: 1769860800,
    authentication: "IAM_ROLE",
    iamRole: "text",
    schemaRegistry: { type: "glue", glueRegion: "text", glueRegistryName: "text", glueRoleArn: "text" }
  },
  objectStorage: {
    type: "azureblobstorage",
    format: "CSV",
    url: "text",
    delimiter: "\t",
    compression: "gzip",
    isContinuous: true,
    queueUrl: "text",
    skipInitialLoad: true,
    startAfter: "text",
    authentication: "CONNECTION_STRING",
    iamRole: "",
    connectionString: connectionString,
    path: "text",
    azureContainerName: "text"
  },
  postgres: {
    type: "text",
    host: "text",
    port: 7,
    database: "text",
    authentication: "text",
    iamRole: "text",
    tlsHost: "text",
    caCertificate: "text",
    disableTls: true,
    skipCertVerification: true,
    settings: {
      syncIntervalSeconds: 7,
      pullBatchSize: 7,
      publicationName: "text",
      replicationMode: "text",
      replicationSlotName: "text",
      allowNullableColumns: true,
      initialLoadParallelism: 7,
      snapshotNumRowsPerPartition: 7,
      snapshotNumberOfParallelTables: 7,
      enableFailoverSlots: true,
      deleteOnMerge: true
    },
    tableMappings: [
      {
        sourceSchemaName: "text",
        sourceTable: "text",
        targetTable: "text",
        excludedColumns: ["a", "b"],
        useCustomSortingKey: true,
        sortingKeys: ["a", "b"],
        tableEngine: "text",
        partitionKey: "text",
        partitionByExpr: "text"
      }
    ]
  },
  mysql: {
    type: "text",
    host: "text",
    port: 7,
    authentication: "text",
    iamRole: "text",
    tlsHost: "text",
    caCertificate: "text",
    disableTls: true,
    skipCertVerification: true,
    serverId: 7,
    settings: {
      syncIntervalSeconds: 7,
      pullBatchSize: 7,
      replicationMode: "text",
      replicationMechanism: "text",
      useCompression: true,
      allowNullableColumns: true,
      initialLoadParallelism: 7,
      snapshotNumRowsPerPartition: 7,
      snapshotNumberOfParallelTables: 7,
      deleteOnMerge: true
    },
    tableMappings: [
      {
        sourceSchemaName: "text",
        sourceTable: "text",
        targetTable: "text",
        excludedColumns: ["a", "b"],
        useCustomSortingKey: true,
        sortingKeys: ["a", "b"],
        tableEngine: "text",
        partitionKey: "text",
        partitionByExpr: "text"
      }
    ],
    database: "text"
  },
  mongodb: {
    uri: "text",
    readPreference: "text",
    tlsHost: "text",
    disableTls: true,
    skipCertVerification: true,
    caCertificate: "text",
    settings: {
      syncIntervalSeconds: 7,
      pullBatchSize: 7,
      replicationMode: "text",
      initialLoadParallelism: 7,
      snapshotNumRowsPerPartition: 7,
      snapshotNumberOfParallelTables: 7,
      deleteOnMerge: true,
      useJsonNativeFormat: true
    },
    tableMappings: [
      {
        sourceDatabaseName: "text",
        sourceCollection: "text",
        targetTable: "text",
        tableEngine: "text",
        structuredIngestion: {
          enabled: true,
          dropUnexpectedValues: true,
          columns: [{ name: "text", type: "text" }],
          excludedColumns: ["a", "b"],
          sortingKeys: ["a", "b"],
          partitionByExpr: "text"
        }
      }
    ]
  },
  bigquery: {
    snapshotStagingPath: "text",
    authentication: "text",
    projectId: "text",
    settings: {
      replicationMode: "text",
      replicationMethod: "text",
      syncIntervalSeconds: 7,
      queryCdcPullSyncParallelism: 7,
      syncDelaySeconds: 7,
      pullWindowSizeSeconds: 7,
      syncCron: "text",
      allowNullableColumns: true,
      initialLoadParallelism: 7,
      snapshotNumRowsPerPartition: 7,
      snapshotNumberOfParallelTables: 7
    },
    tableMappings: [
      {
        sourceDatasetName: "text",
        sourceTable: "text",
        targetTable: "text",
        excludedColumns: ["a", "b"],
        useCustomSortingKey: true,
        sortingKeys: ["a", "b"],
        tableEngine: "text",
        queryCdcWatermarkColumn: "text",
        eventsFunction: "text"
      }
    ]
  },
  pubsub: {
    format: "text",
    projectId: "text",
    topic: "text",
    authentication: "text",
    seekType: "text",
    seekTimestamp: "text",
    filter: "text",
    enableOrdering: true,
    ackDeadline: 7
  }
}

const pipeDocument = (kind: ShownKind): Schema.JsonObject => ({
  id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  name: "Orders – Köln 🚰",
  serviceId: "0B9A8C7D-1E2F-4A3B-9C4D-5E6F7A8B9C0D",
  state: "Running",
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-31T12:00:00.123456+02:00",
  destination: {
    database: "default",
    table: "orders",
    managedTable: true,
    columns: [
      { name: "id", type: "UUID" },
      { name: "total", type: "Decimal(18, 2)" }
    ],
    tableDefinition: {
      engine: { type: "ReplacingMergeTree", columnIds: ["id"], versionColumnId: "version" },
      partitionBy: "toYYYYMM(created_at)",
      primaryKey: "id",
      sortingKey: ["id", "created_at"],
      ttl: "created_at + INTERVAL 1 YEAR"
    },
    roles: ["reader"]
  },
  fieldMappings: [{ sourceField: "order.id", destinationField: "id" }],
  scaling: { concurrency: 0, replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
  settings: {
    db_max_download_threads: 4,
    db_max_insert_threads: 1,
    db_max_threads: 8,
    db_min_insert_block_size_bytes: 1_073_741_824,
    db_parallel_distributed_insert_select: 2,
    db_parallel_view_processing: false,
    kafka_read_committed: true,
    object_storage_concurrency: 1,
    object_storage_max_file_count: 100,
    object_storage_max_insert_bytes: 10_737_418_240,
    object_storage_polling_interval_ms: 30_000,
    object_storage_use_cluster_function: true,
    streaming_max_insert_wait_ms: 5000
  },
  source: { [kind]: sources[kind] }
})

/** A pipe on the wire for each kind of source, with every field of the contract filled. */
export const pipeDocuments: Readonly<Record<ShownKind, Schema.JsonObject>> = {
  kafka: pipeDocument("kafka"),
  kinesis: pipeDocument("kinesis"),
  objectStorage: pipeDocument("objectStorage"),
  postgres: pipeDocument("postgres"),
  mysql: pipeDocument("mysql"),
  mongodb: pipeDocument("mongodb"),
  bigquery: pipeDocument("bigquery"),
  pubsub: pipeDocument("pubsub")
}
