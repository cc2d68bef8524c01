import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString, secretText } from "../schema/fieldSchemas.ts"

/** Where reading of the topics starts. Contract: section 2.2.4, `source.kafka.offset`. */
const KafkaOffset = looseStruct({
  /** UTC, to the minute, as `YYYY-MM-DDTHH:MM`. A string, because it is not an RFC 3339 timestamp. */
  timestamp: nullish(Schema.String)
}).pipe(withIdentifier("KafkaOffset"))
type KafkaOffset = typeof KafkaOffset.Type

/** The known authentications of a schema registry. The contract (section 2.2.4) shows none. */
const schemaRegistryAuthentications = ["PLAIN"] as const

/** The registry of the message schemas. Contract: section 2.2.4, `source.kafka.schemaRegistry`. */
const SchemaRegistry = looseStruct({
  url: nullish(Schema.String),
  authentication: nullish(knownString(schemaRegistryAuthentications)),
  /** PEM. */
  caCertificate: nullish(Schema.String)
}).pipe(withIdentifier("SchemaRegistry"))
type SchemaRegistry = typeof SchemaRegistry.Type

/**
 * A message-broker source. Contract: section 2.2.4, `source.kafka`. `brokers` and `topics` are lists in one string,
 * separated by commas.
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
  /** Broker addresses in one string, separated by commas. */
  brokers: nullish(Schema.String),
  /** Topic names in one string, separated by commas. */
  topics: nullish(Schema.String),
  consumerGroup: nullish(Schema.String),
  /** PEM. */
  caCertificate: nullish(Schema.String),
  /** The identifier of a cloud role. */
  iamRole: nullish(Schema.String),
  offset: nullish(KafkaOffset),
  reversePrivateEndpointIds: nullish(Schema.Array(Schema.String)),
  schemaRegistry: nullish(SchemaRegistry)
}).pipe(withIdentifier("KafkaSource"))
export type KafkaSource = typeof KafkaSource.Type

/** A stream source. Contract: section 2.2.4, `source.kinesis`. Its `timestamp` is in seconds since the Unix epoch. */
export const KinesisSource = looseStruct({
  streamName: nullish(Schema.String),
  region: nullish(Schema.String),
  /** The identifier of a cloud role. */
  iamRole: nullish(Schema.String),
  /** Where reading starts, in seconds since the Unix epoch. */
  timestamp: nullish(Schema.Int),
  useEnhancedFanOut: nullish(Schema.Boolean)
}).pipe(withIdentifier("KinesisSource"))
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
  /** May contain wildcard patterns. */
  url: nullish(Schema.String),
  /** May contain wildcard patterns. */
  path: nullish(Schema.String),
  azureContainerName: nullish(Schema.String),
  /** Contains credentials: `Redacted` once decoded, in plain text in the encoded pipe. */
  connectionString: nullish(secretText("connectionString")),
  /** The identifier of a cloud role. */
  iamRole: nullish(Schema.String),
  queueUrl: nullish(Schema.String),
  compression: nullish(knownString(compressions)),
  delimiter: nullish(Schema.String),
  isContinuous: nullish(Schema.Boolean)
}).pipe(withIdentifier("ObjectStorageSource"))
export type ObjectStorageSource = typeof ObjectStorageSource.Type

/** Maps a table of a relational source to a destination table. Contract: section 2.2.4, `tableMappings[]`. */
const TableMapping = looseStruct({
  sourceSchemaName: nullish(Schema.String),
  sourceTable: nullish(Schema.String),
  targetTable: nullish(Schema.String),
  excludedColumns: nullish(Schema.Array(Schema.String)),
  sortingKeys: nullish(Schema.Array(Schema.String)),
  useCustomSortingKey: nullish(Schema.Boolean)
}).pipe(withIdentifier("TableMapping"))
type TableMapping = typeof TableMapping.Type

/** The replication settings of a relational source. Sizes are in rows. Contract: section 2.2.4, `source.postgres.settings`. */
const PostgresSettings = looseStruct({
  allowNullableColumns: nullish(Schema.Boolean),
  enableFailoverSlots: nullish(Schema.Boolean),
  initialLoadParallelism: nullish(Schema.Int),
  publicationName: nullish(Schema.String),
  /** In rows. */
  pullBatchSize: nullish(Schema.Int),
  replicationSlotName: nullish(Schema.String),
  /** In rows. */
  snapshotNumRowsPerPartition: nullish(Schema.Int),
  snapshotNumberOfParallelTables: nullish(Schema.Int),
  /** In seconds. */
  syncIntervalSeconds: nullish(Schema.Int)
}).pipe(withIdentifier("PostgresSettings"))
type PostgresSettings = typeof PostgresSettings.Type

/** A source that is a replicated relational database. Contract: section 2.2.4, `source.postgres`. */
export const PostgresSource = looseStruct({
  host: nullish(Schema.String),
  port: nullish(Schema.Int),
  database: nullish(Schema.String),
  settings: nullish(PostgresSettings),
  tableMappings: nullish(Schema.Array(TableMapping))
}).pipe(withIdentifier("PostgresSource"))
export type PostgresSource = typeof PostgresSource.Type

/** The kinds of source, in the order of the contract (section 2.2.4). */
export const pipeSourceKinds = ["kafka", "kinesis", "objectStorage", "postgres"] as const

/** The kind of source of a pipe, or `none` or `several` if it does not have exactly one. */
export type PipeSourceKind = (typeof pipeSourceKinds)[number] | "none" | "several"

const schema = looseStruct({
  kafka: nullish(KafkaSource),
  kinesis: nullish(KinesisSource),
  objectStorage: nullish(ObjectStorageSource),
  postgres: nullish(PostgresSource)
}).pipe(withIdentifier("PipeSource"))

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
