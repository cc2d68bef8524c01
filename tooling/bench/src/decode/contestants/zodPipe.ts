import * as z from "zod"

const uuid = z.guid()
const text = z.string().nullish()
const flag = z.boolean().nullish()
const int = z.int().nullish()
const texts = z.array(z.string()).nullish()

const Destination = z.looseObject({
  database: text,
  table: text,
  managedTable: flag,
  columns: z.array(z.looseObject({ name: text, type: text })).nullish(),
  tableDefinition: z
    .looseObject({
      engine: z.looseObject({ columnIds: texts, versionColumnId: text }).nullish(),
      partitionBy: text,
      primaryKey: text,
      sortingKey: texts
    })
    .nullish()
})

const Settings = z.looseObject({
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

const KafkaSource = z.looseObject({
  brokers: text,
  topics: text,
  consumerGroup: text,
  caCertificate: text,
  iamRole: text,
  offset: z.looseObject({ timestamp: text }).nullish(),
  reversePrivateEndpointIds: texts,
  schemaRegistry: z.looseObject({ url: text, authentication: text, caCertificate: text }).nullish()
})

const KinesisSource = z.looseObject({
  streamName: text,
  region: text,
  iamRole: text,
  timestamp: int,
  useEnhancedFanOut: flag
})

const PostgresSource = z.looseObject({
  host: text,
  port: int,
  database: text,
  settings: z
    .looseObject({
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
    .nullish(),
  tableMappings: z
    .array(
      z.looseObject({
        sourceSchemaName: text,
        sourceTable: text,
        targetTable: text,
        excludedColumns: texts,
        sortingKeys: texts,
        useCustomSortingKey: flag
      })
    )
    .nullish()
})

const objectStorageSource = <Secret extends z.ZodType>(secret: Secret) =>
  z.looseObject({
    url: text,
    path: text,
    azureContainerName: text,
    connectionString: secret.nullish(),
    iamRole: text,
    queueUrl: text,
    compression: text,
    delimiter: text,
    isContinuous: flag
  })

/** The domain's `Pipe` in zod 4: as tolerant, unknown fields kept, with what is made of an instant and of a secret. */
const pipe = <Instant extends z.ZodType, Secret extends z.ZodType>(instant: Instant, secret: Secret) =>
  z.looseObject({
    id: uuid,
    serviceId: uuid,
    name: z.string(),
    state: z.string(),
    createdAt: instant.nullish(),
    updatedAt: instant.nullish(),
    destination: Destination.nullish(),
    fieldMappings: z.array(z.looseObject({ sourceField: text, destinationField: text })).nullish(),
    scaling: z
      .looseObject({
        concurrency: int,
        replicas: int,
        replicaCpuMillicores: int,
        replicaMemoryGb: z.number().nullish()
      })
      .nullish(),
    settings: Settings.nullish(),
    source: z
      .looseObject({
        kafka: KafkaSource.nullish(),
        kinesis: KinesisSource.nullish(),
        objectStorage: objectStorageSource(secret).nullish(),
        postgres: PostgresSource.nullish()
      })
      .nullish()
  })

const timestamp = z.iso.datetime({ offset: true })

/** Checks, and leaves instants and the credential the text that they are. */
export const zodPipe = pipe(timestamp, z.string())

/** A credential that shows nowhere, as `Redacted` is. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  get value(): string {
    return this.#value
  }
}

/** Makes of instants and of the credential what headgate makes of them: values of their own. */
export const zodPipeDecoded = pipe(
  timestamp.transform((text) => new Date(text)),
  z.string().transform((text) => new Secret(text))
)
