import * as z from "zod"

const uuid = z.guid()
const text = z.string().nullish()
const flag = z.boolean().nullish()
const int = z.int().nullish()
const texts = z.array(z.string()).nullish()

/** Fields of one type. */
const fields = <Name extends string, Type extends z.ZodType>(type: Type, ...names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type> // a field for each name

const Destination = z.looseObject({
  ...fields(text, "database", "table"),
  managedTable: flag,
  columns: z.array(z.looseObject(fields(text, "name", "type"))).nullish(),
  tableDefinition: z
    .looseObject({
      engine: z.looseObject({ columnIds: texts, versionColumnId: text }).nullish(),
      ...fields(text, "partitionBy", "primaryKey"),
      sortingKey: texts
    })
    .nullish()
})

const Settings = z.looseObject({
  ...fields(int, "db_max_download_threads", "db_max_insert_threads", "db_max_threads"),
  ...fields(int, "db_min_insert_block_size_bytes", "db_parallel_distributed_insert_select"),
  ...fields(int, "object_storage_concurrency", "object_storage_max_file_count", "object_storage_max_insert_bytes"),
  ...fields(int, "object_storage_polling_interval_ms", "streaming_max_insert_wait_ms"),
  ...fields(flag, "db_parallel_view_processing", "object_storage_use_cluster_function")
})

const KafkaSource = z.looseObject({
  ...fields(text, "brokers", "topics", "consumerGroup", "caCertificate", "iamRole"),
  offset: z.looseObject({ timestamp: text }).nullish(),
  reversePrivateEndpointIds: texts,
  schemaRegistry: z.looseObject(fields(text, "url", "authentication", "caCertificate")).nullish()
})

const KinesisSource = z.looseObject({
  ...fields(text, "streamName", "region", "iamRole"),
  timestamp: int,
  useEnhancedFanOut: flag
})

const PostgresSource = z.looseObject({
  ...fields(text, "host", "database"),
  port: int,
  settings: z
    .looseObject({
      ...fields(flag, "allowNullableColumns", "enableFailoverSlots"),
      ...fields(int, "initialLoadParallelism", "pullBatchSize", "snapshotNumRowsPerPartition"),
      ...fields(int, "snapshotNumberOfParallelTables", "syncIntervalSeconds"),
      ...fields(text, "publicationName", "replicationSlotName")
    })
    .nullish(),
  tableMappings: z
    .array(
      z.looseObject({
        ...fields(text, "sourceSchemaName", "sourceTable", "targetTable"),
        ...fields(texts, "excludedColumns", "sortingKeys"),
        useCustomSortingKey: flag
      })
    )
    .nullish()
})

const ObjectStorageSource = z.looseObject({
  ...fields(text, "url", "path", "azureContainerName", "iamRole", "queueUrl", "compression", "delimiter"),
  connectionString: text,
  isContinuous: flag
})

const instant = z.iso.datetime({ offset: true })

/** The domain's `Pipe` in zod 4: as tolerant, with unknown fields. Instants and the secret stay text. */
export const zodPipe = z.looseObject({
  id: uuid,
  serviceId: uuid,
  name: z.string(),
  state: z.string(),
  createdAt: instant.nullish(),
  updatedAt: instant.nullish(),
  destination: Destination.nullish(),
  fieldMappings: z.array(z.looseObject(fields(text, "sourceField", "destinationField"))).nullish(),
  scaling: z
    .looseObject({
      ...fields(int, "concurrency", "replicas", "replicaCpuMillicores"),
      replicaMemoryGb: z.number().nullish()
    })
    .nullish(),
  settings: Settings.nullish(),
  source: z
    .looseObject({
      kafka: KafkaSource.nullish(),
      kinesis: KinesisSource.nullish(),
      objectStorage: ObjectStorageSource.nullish(),
      postgres: PostgresSource.nullish()
    })
    .nullish()
})
