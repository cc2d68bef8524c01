import { pipeId, serviceId } from "./headgate.ts"

/** A secret that only `pipe get --json` prints. */
export const connectionString = "AccountName=x;AccountKey=s3cr3t-of-the-storage"

/** A pipe with every field of the contract, and some unknown ones, with the setting names of a dialect. */
export const wholePipe = (prefix: "db_" | "clickhouse_") => ({
  id: pipeId,
  name: "orders",
  serviceId,
  state: "Hibernating",
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T04:04:05.123456+01:00",
  destination: {
    database: "analytics",
    table: "events",
    managedTable: true,
    columns: [{ name: "id", type: "UInt64", codec: "ZSTD" }],
    tableDefinition: {
      engine: { columnIds: ["id"], versionColumnId: "version" },
      partitionBy: "toYYYYMM(at)",
      primaryKey: "id",
      sortingKey: ["id", "at"]
    },
    roles: ["writer"]
  },
  fieldMappings: [
    { sourceField: "order_id", destinationField: "id" },
    { sourceField: "at", destinationField: "at" }
  ],
  scaling: { concurrency: 1, replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: 0.5 },
  settings: {
    [`${prefix}max_download_threads`]: 1,
    [`${prefix}max_insert_threads`]: 2,
    [`${prefix}max_threads`]: 4,
    [`${prefix}min_insert_block_size_bytes`]: 1_048_576,
    [`${prefix}parallel_distributed_insert_select`]: 2,
    [`${prefix}parallel_view_processing`]: false,
    [`${prefix}not_known_yet`]: "kept",
    object_storage_concurrency: 3,
    object_storage_max_file_count: 100,
    object_storage_max_insert_bytes: 10_000_000,
    object_storage_polling_interval_ms: 500,
    object_storage_use_cluster_function: true,
    streaming_max_insert_wait_ms: 5000
  },
  source: {
    kafka: {
      brokers: "a:9092,b:9092",
      topics: "orders",
      consumerGroup: "g",
      caCertificate: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
      iamRole: "arn:aws:iam::1:role/x",
      offset: { timestamp: "2026-01-02T03:04", strategy: "from_timestamp" },
      reversePrivateEndpointIds: ["one", "two"],
      schemaRegistry: { url: "https://registry", authentication: "PLAIN", caCertificate: null },
      credentials: { username: "u", password: "s3cr3t-of-the-broker" }
    },
    kinesis: {
      streamName: "s",
      region: "eu-west-1",
      iamRole: "r",
      timestamp: 1_767_323_045,
      useEnhancedFanOut: true
    },
    objectStorage: {
      url: "https://bucket/{a,b}/*.json",
      path: "in/*",
      azureContainerName: "c",
      connectionString,
      iamRole: null,
      queueUrl: "https://queue",
      compression: "gzip",
      delimiter: "\t",
      isContinuous: true
    },
    postgres: {
      host: "db.example",
      port: 5432,
      database: "shop",
      settings: {
        allowNullableColumns: true,
        enableFailoverSlots: false,
        initialLoadParallelism: 4,
        publicationName: "p",
        pullBatchSize: 1000,
        replicationSlotName: "slot",
        snapshotNumRowsPerPartition: 100_000,
        snapshotNumberOfParallelTables: 2,
        syncIntervalSeconds: 60
      },
      tableMappings: [
        {
          sourceSchemaName: "public",
          sourceTable: "orders",
          targetTable: "orders",
          excludedColumns: ["note"],
          sortingKeys: ["id"],
          useCustomSortingKey: true
        }
      ]
    }
  },
  costs: { perHour: 0.25, tiers: [1, [2, null], { deep: "\u001b[31m" }] }
})
