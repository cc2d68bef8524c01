import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString, secretText } from "../schema/fieldSchemas.ts"

// Contract: section 2.2.4, `source.kafka.offset`. The timestamp is a string, because it is not an RFC 3339 timestamp.
const KafkaOffset = looseStruct({
  timestamp: nullish(Schema.String, "The time of the first message to read: UTC, to the minute, as `YYYY-MM-DDTHH:MM`.")
}).pipe(withIdentifier("KafkaOffset", "Where reading of the topics starts."))
type KafkaOffset = typeof KafkaOffset.Type

/** The known authentications of a schema registry. The contract (section 2.2.4) shows none. */
const schemaRegistryAuthentications = ["PLAIN"] as const

// Contract: section 2.2.4, `source.kafka.schemaRegistry`.
const SchemaRegistry = looseStruct({
  url: nullish(Schema.String, "The HTTPS URL of the schema."),
  authentication: nullish(knownString(schemaRegistryAuthentications), "The authentication method of the registry."),
  caCertificate: nullish(Schema.String, "The CA certificates that the registry is verified with, in PEM.")
}).pipe(withIdentifier("SchemaRegistry", "The registry of the message schemas."))
type SchemaRegistry = typeof SchemaRegistry.Type

/**
 * A message-broker source. Contract: section 2.2.4, `source.kafka`. `brokers` and `topics` are lists in one string.
 *
 * @example
 * ```ts
 * import type { KafkaSource } from "@headgate/core"
 *
 * export const topicsOf = (source: KafkaSource): ReadonlyArray<string> =>
 *   (source.topics ?? "").split(",").flatMap((topic) => topic.trim() || [])
 * ```
 */
export const KafkaSource = looseStruct({
  brokers: nullish(Schema.String, "The addresses of the brokers, separated by commas."),
  topics: nullish(Schema.String, "The names of the topics, separated by commas."),
  consumerGroup: nullish(Schema.String, "The name of the consumer group."),
  caCertificate: nullish(Schema.String, "The CA certificates that the brokers are verified with, in PEM."),
  iamRole: nullish(Schema.String, "The identifier of the cloud role that the pipe uses."),
  offset: nullish(KafkaOffset, "Where reading of the topics starts."),
  reversePrivateEndpointIds: nullish(
    Schema.Array(Schema.String),
    "The ids of the reverse private endpoints that lead to the brokers."
  ),
  schemaRegistry: nullish(SchemaRegistry, "The registry of the message schemas.")
}).pipe(withIdentifier("KafkaSource", "A source that is a message broker."))
export type KafkaSource = typeof KafkaSource.Type

/** A stream source. Contract: section 2.2.4, `source.kinesis`. */
export const KinesisSource = looseStruct({
  streamName: nullish(Schema.String, "The name of the stream."),
  region: nullish(Schema.String, "The cloud region of the stream."),
  iamRole: nullish(Schema.String, "The identifier of the cloud role that the pipe uses."),
  timestamp: nullish(Schema.Int, "The time at which reading starts, in seconds since the Unix epoch."),
  useEnhancedFanOut: nullish(Schema.Boolean, "Whether the pipe reads with enhanced fan-out.")
}).pipe(withIdentifier("KinesisSource", "A source that is a data stream."))
export type KinesisSource = typeof KinesisSource.Type

/** The known compressions of object storage pipes. The contract (section 2.2.4) shows none. */
const compressions = ["none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd", "auto"] as const

/**
 * An object storage source. Contract: section 2.2.4, `source.objectStorage`. Its `connectionString` is a secret: it is
 * `Redacted`, so it prints as a label, and only `Redacted.value` returns it.
 *
 * @example
 * ```ts
 * import { ObjectStorageSource } from "@headgate/core"
 * import * as Redacted from "effect/Redacted"
 * import * as Schema from "effect/Schema"
 *
 * const { connectionString } = Schema.decodeUnknownSync(ObjectStorageSource)({
 *   connectionString: "AccountKey=c2VjcmV0"
 * })
 * console.log(`${connectionString}`) // <redacted:connectionString>
 * console.log(connectionString ? Redacted.value(connectionString) : "none") // AccountKey=c2VjcmV0
 * ```
 */
export const ObjectStorageSource = looseStruct({
  url: nullish(Schema.String, "The URL of the files; may contain wildcards."),
  path: nullish(Schema.String, "The path of the files in an Azure container; may contain wildcards."),
  azureContainerName: nullish(Schema.String, "The name of the Azure container."),
  connectionString: nullish(
    secretText("connectionString"),
    "The connection string of Azure Blob Storage. It contains credentials."
  ),
  iamRole: nullish(Schema.String, "The identifier of the cloud role that the pipe uses."),
  queueUrl: nullish(Schema.String, "The URL of the queue that announces new files."),
  compression: nullish(knownString(compressions), "The compression of the files."),
  delimiter: nullish(Schema.String, "The delimiter between the values of a line."),
  isContinuous: nullish(Schema.Boolean, "Whether the pipe keeps reading new files, or reads the files once.")
}).pipe(withIdentifier("ObjectStorageSource", "A source that is files in object storage."))
export type ObjectStorageSource = typeof ObjectStorageSource.Type

// Contract: section 2.2.4, `tableMappings[]`.
const TableMapping = looseStruct({
  sourceSchemaName: nullish(Schema.String, "The database schema of the source table."),
  sourceTable: nullish(Schema.String, "The name of the source table."),
  targetTable: nullish(Schema.String, "The name of the destination table."),
  excludedColumns: nullish(Schema.Array(Schema.String), "The names of the columns that are not copied."),
  sortingKeys: nullish(
    Schema.Array(Schema.String),
    "The columns of the sorting key of the destination table, in order."
  ),
  useCustomSortingKey: nullish(
    Schema.Boolean,
    "Whether `sortingKeys` is the sorting key; if not, the primary key of the source table is."
  )
}).pipe(
  withIdentifier("TableMapping", "A table of a relational source and the destination table that receives its rows.")
)
type TableMapping = typeof TableMapping.Type

// Contract: section 2.2.4, `source.postgres.settings`.
const PostgresSettings = looseStruct({
  allowNullableColumns: nullish(
    Schema.Boolean,
    "Whether nullable columns of the source stay nullable; if not, NULL becomes the default value of the type."
  ),
  enableFailoverSlots: nullish(Schema.Boolean, "Whether the replication slot supports failover."),
  initialLoadParallelism: nullish(Schema.Int, "The number of parallel workers per table during the initial load."),
  publicationName: nullish(Schema.String, "The name of the publication."),
  pullBatchSize: nullish(Schema.Int, "The size of a batch during replication, in rows."),
  replicationSlotName: nullish(Schema.String, "The name of the replication slot."),
  snapshotNumRowsPerPartition: nullish(Schema.Int, "The size of a partition during the initial load, in rows."),
  snapshotNumberOfParallelTables: nullish(Schema.Int, "The number of tables that are loaded in parallel."),
  syncIntervalSeconds: nullish(Schema.Int, "The interval between two reads of changes, in seconds.")
}).pipe(withIdentifier("PostgresSettings", "The replication settings of a relational source."))
type PostgresSettings = typeof PostgresSettings.Type

/** A source that is a replicated relational database. Contract: section 2.2.4, `source.postgres`. */
export const PostgresSource = looseStruct({
  host: nullish(Schema.String, "The host name or IP address of the database server."),
  port: nullish(Schema.Int, "The port of the database server."),
  database: nullish(Schema.String, "The name of the database."),
  settings: nullish(PostgresSettings, "The settings of the replication."),
  tableMappings: nullish(Schema.Array(TableMapping), "Which table of the source goes to which destination table.")
}).pipe(withIdentifier("PostgresSource", "A source that is a replicated relational database."))
export type PostgresSource = typeof PostgresSource.Type

/** The kinds of source, in the order of the contract (section 2.2.4). */
export const pipeSourceKinds = ["kafka", "kinesis", "objectStorage", "postgres"] as const

/** The kind of source of a pipe, or `none` or `several` if it does not have exactly one. */
export type PipeSourceKind = (typeof pipeSourceKinds)[number] | "none" | "several"

const schema = looseStruct({
  kafka: nullish(KafkaSource, "A message broker."),
  kinesis: nullish(KinesisSource, "A data stream."),
  objectStorage: nullish(ObjectStorageSource, "Files in object storage."),
  postgres: nullish(PostgresSource, "A replicated relational database.")
}).pipe(withIdentifier("PipeSource", "The source of a pipe: usually one of these fields is present."))

const kind = (source: PipeSource | null | undefined): PipeSourceKind => {
  const present = pipeSourceKinds.filter((member) => Predicate.isNotNullish(source?.[member]))
  return present.length > 1 ? "several" : (present[0] ?? "none")
}

/**
 * The source of a pipe: one field for each kind of source, and usually one of them present. None or several are valid too,
 * because the contract (section 2.2.4) shows no rule. `PipeSource.kind` returns the kind.
 *
 * @example
 * ```ts
 * import { PipeSource } from "@headgate/core"
 *
 * console.log(PipeSource.kind({ kafka: { topics: "orders" } })) // kafka
 * console.log(PipeSource.kind(null)) // none
 * console.log(PipeSource.kind({ kafka: {}, kinesis: {} })) // several
 * ```
 */
export const PipeSource = Object.assign(schema, { kind })
export type PipeSource = typeof schema.Type
