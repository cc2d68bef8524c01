import { type TSchema, Type } from "typebox"

const nullish = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const text = nullish(Type.String())
const flag = nullish(Type.Boolean())
const int = nullish(Type.Integer())
const texts = nullish(Type.Array(Type.String()))
const uuid = Type.String({ format: "uuid" })
const timestamp = nullish(Type.String({ format: "date-time" }))

const Destination = Type.Object({
  database: text,
  table: text,
  managedTable: flag,
  columns: nullish(Type.Array(Type.Object({ name: text, type: text }))),
  tableDefinition: nullish(
    Type.Object({
      engine: nullish(Type.Object({ columnIds: texts, versionColumnId: text })),
      partitionBy: text,
      primaryKey: text,
      sortingKey: texts
    })
  )
})

const Settings = Type.Object({
  db_max_download_threads: int,
  db_max_insert_threads: int,
  db_max_threads: int,
  db_min_insert_block_size_bytes: int,
  db_parallel_distributed_insert_select: int,
  db_parallel_view_processing: flag,
  object_storage_concurrency: int,
  object_storage_max_file_count: int,
  object_storage_max_insert_bytes: int,
  object_storage_polling_interval_ms: int,
  object_storage_use_cluster_function: flag,
  streaming_max_insert_wait_ms: int
})

const KafkaSource = Type.Object({
  brokers: text,
  topics: text,
  consumerGroup: text,
  caCertificate: text,
  iamRole: text,
  offset: nullish(Type.Object({ timestamp: text })),
  reversePrivateEndpointIds: texts,
  schemaRegistry: nullish(Type.Object({ url: text, authentication: text, caCertificate: text }))
})

const KinesisSource = Type.Object({
  streamName: text,
  region: text,
  iamRole: text,
  timestamp: int,
  useEnhancedFanOut: flag
})

const ObjectStorageSource = Type.Object({
  url: text,
  path: text,
  azureContainerName: text,
  connectionString: text,
  iamRole: text,
  queueUrl: text,
  compression: text,
  delimiter: text,
  isContinuous: flag
})

const PostgresSource = Type.Object({
  host: text,
  port: int,
  database: text,
  settings: nullish(
    Type.Object({
      allowNullableColumns: flag,
      enableFailoverSlots: flag,
      initialLoadParallelism: int,
      publicationName: text,
      pullBatchSize: int,
      replicationSlotName: text,
      snapshotNumRowsPerPartition: int,
      snapshotNumberOfParallelTables: int,
      syncIntervalSeconds: int
    })
  ),
  tableMappings: nullish(
    Type.Array(
      Type.Object({
        sourceSchemaName: text,
        sourceTable: text,
        targetTable: text,
        excludedColumns: texts,
        sortingKeys: texts,
        useCustomSortingKey: flag
      })
    )
  )
})

/** The domain's `Pipe` as TypeBox has it, which is a JSON Schema at the same time. */
export const typeboxPipe = Type.Object({
  id: uuid,
  serviceId: uuid,
  name: Type.String(),
  state: Type.String(),
  createdAt: timestamp,
  updatedAt: timestamp,
  destination: nullish(Destination),
  fieldMappings: nullish(Type.Array(Type.Object({ sourceField: text, destinationField: text }))),
  scaling: nullish(
    Type.Object({
      concurrency: int,
      replicas: int,
      replicaCpuMillicores: int,
      replicaMemoryGb: nullish(Type.Number())
    })
  ),
  settings: nullish(Settings),
  source: nullish(
    Type.Object({
      kafka: nullish(KafkaSource),
      kinesis: nullish(KinesisSource),
      objectStorage: nullish(ObjectStorageSource),
      postgres: nullish(PostgresSource)
    })
  )
})
