import type * as Schema from "effect/Schema"
import type { ShownKind } from "./pipeContract.ts"

/** The credential in {@link pipeDocuments}; it must show nowhere but on the wire. */
export const connectionString = "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=c2VjcmV0LW9mLWFjbWU="

const sources: Readonly<Record<ShownKind, Schema.JsonObject>> = {
  kafka: {
    brokers: "broker-1.example.com:9092,broker-2.example.com:9092",
    topics: "orders,refunds",
    consumerGroup: "headgate-orders",
    caCertificate: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    iamRole: "arn:aws:iam::123456789012:role/orders",
    offset: { timestamp: "2026-01-31T12:00" },
    reversePrivateEndpointIds: ["rpe-1", "rpe-2"],
    schemaRegistry: { url: "https://registry.example.com", authentication: "PLAIN", caCertificate: "" }
  },
  kinesis: {
    streamName: "clicks",
    region: "eu-central-1",
    iamRole: "arn:aws:iam::123456789012:role/clicks",
    timestamp: 1_769_860_800,
    useEnhancedFanOut: false
  },
  objectStorage: {
    url: "https://acme.blob.example.com/exports/**/*.json",
    path: "exports/2026-*/part-{00..99}.json",
    azureContainerName: "exports",
    connectionString,
    iamRole: "",
    queueUrl: "https://sqs.eu-central-1.example.com/123456789012/exports",
    compression: "gzip",
    delimiter: "\t",
    isContinuous: true
  },
  postgres: {
    host: "db.example.com",
    port: 5432,
    database: "shop",
    settings: {
      allowNullableColumns: true,
      enableFailoverSlots: false,
      initialLoadParallelism: 4,
      publicationName: "headgate",
      pullBatchSize: 100_000,
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
      }
    ]
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
      engine: { columnIds: ["id"], versionColumnId: "version" },
      partitionBy: "toYYYYMM(created_at)",
      primaryKey: "id",
      sortingKey: ["id", "created_at"]
    }
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
  postgres: pipeDocument("postgres")
}
