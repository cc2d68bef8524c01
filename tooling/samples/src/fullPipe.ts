/**
 * A pipe as JSON, in the neutral dialect: every field of the contract, every kind of source, and at three depths a field
 * that the contract does not name. About 4 KB.
 */
export const fullPipe = {
  id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
  name: "orders",
  state: "Running",
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-31T12:00:00.123+02:00",
  destination: {
    database: "default",
    table: "orders",
    managedTable: true,
    columns: [
      { name: "id", type: "UUID" },
      { name: "customer_id", type: "UUID" },
      { name: "total", type: "Decimal(18, 2)" },
      { name: "created_at", type: "DateTime64(3)" }
    ],
    tableDefinition: {
      engine: { type: "ReplacingMergeTree", columnIds: ["id", "created_at"], versionColumnId: "version" },
      partitionBy: "toYYYYMM(created_at)",
      primaryKey: "id",
      sortingKey: ["id", "created_at"],
      ttl: "created_at + INTERVAL 90 DAY",
      newInTheService: { nested: [1, null, { deep: "kept" }] }
    }
  },
  fieldMappings: [
    { sourceField: "order.id", destinationField: "id" },
    { sourceField: "order.customer.id", destinationField: "customer_id" },
    { sourceField: "order.total", destinationField: "total" },
    { sourceField: "order.createdAt", destinationField: "created_at" }
  ],
  scaling: { concurrency: 4, replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
  settings: {
    db_max_download_threads: 4,
    db_max_insert_threads: 1,
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
    db_new_in_the_service: 1
  },
  source: {
    kafka: {
      type: "kafka",
      format: "JSONEachRow",
      authentication: "IAM_ROLE",
      brokers: "broker-1.example.com:9092,broker-2.example.com:9092",
      topics: "orders,refunds",
      consumerGroup: "headgate-orders",
      caCertificate: "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIB\n-----END CERTIFICATE-----\n",
      iamRole: "arn:aws:iam::123456789012:role/orders",
      offset: { strategy: "from_timestamp", timestamp: "2026-01-31T12:00" },
      reversePrivateEndpointIds: ["rpe-1", "rpe-2"],
      schemaRegistry: { url: "https://registry.example.com", authentication: "PLAIN", caCertificate: "" }
    },
    kinesis: {
      format: "JSONEachRow",
      iteratorType: "AT_TIMESTAMP",
      authentication: "IAM_ROLE",
      streamName: "clicks",
      region: "eu-central-1",
      iamRole: "arn:aws:iam::123456789012:role/clicks",
      timestamp: 1_769_860_800,
      useEnhancedFanOut: false
    },
    objectStorage: {
      type: "azureblobstorage",
      format: "JSONEachRow",
      authentication: "CONNECTION_STRING",
      url: "https://acme.blob.example.com/exports/**/*.json",
      path: "exports/2026-*/part-{00..99}.json",
      azureContainerName: "exports",
      connectionString: "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=bm90LWEtcmVhbC1rZXk=",
      iamRole: "",
      queueUrl: "https://sqs.eu-central-1.example.com/123456789012/exports",
      compression: "gzip",
      delimiter: "\t",
      isContinuous: true
    },
    postgres: {
      type: "postgres",
      authentication: "basic",
      host: "db.example.com",
      port: 5432,
      database: "shop",
      settings: {
        allowNullableColumns: true,
        enableFailoverSlots: false,
        initialLoadParallelism: 4,
        publicationName: "headgate",
        pullBatchSize: 100_000,
        replicationMode: "cdc",
        replicationSlotName: "headgate_slot",
        snapshotNumRowsPerPartition: 500_000,
        snapshotNumberOfParallelTables: 2,
        syncIntervalSeconds: 60
      },
      tableMappings: [
        {
          sourceSchemaName: "public",
          sourceTable: "customers",
          targetTable: "customers",
          excludedColumns: ["email", "phone"],
          sortingKeys: ["id"],
          useCustomSortingKey: true
        },
        {
          sourceSchemaName: "public",
          sourceTable: "orders",
          targetTable: "orders",
          excludedColumns: [],
          sortingKeys: ["id", "created_at"],
          useCustomSortingKey: true
        }
      ]
    }
  },
  owner: "team-data"
}
