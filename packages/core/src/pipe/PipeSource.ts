import * as Predicate from "effect/Predicate"
import { exactlyOneOf, looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { flag } from "./source/optionalFields.ts"
import { BigQuerySource, BigQuerySourceCreate } from "./source/BigQuerySource.ts"
import { KafkaSource, KafkaSourceCreate } from "./source/KafkaSource.ts"
import { KinesisSource, KinesisSourceCreate } from "./source/KinesisSource.ts"
import { MongoDbSource, MongoDbSourceCreate } from "./source/MongoDbSource.ts"
import { MySqlSource, MySqlSourceCreate } from "./source/MySqlSource.ts"
import { ObjectStorageSource, ObjectStorageSourceCreate } from "./source/ObjectStorageSource.ts"
import { PostgresSource, PostgresSourceCreate } from "./source/PostgresSource.ts"
import { PubSubSource, PubSubSourceCreate } from "./source/PubSubSource.ts"

/** The kinds of source. Contract: docs/wire-contract.md#source. */
export const pipeSourceKinds = [
  "kafka",
  "kinesis",
  "objectStorage",
  "postgres",
  "mysql",
  "mongodb",
  "bigquery",
  "pubsub"
] as const

/** The name of a kind of source. */
export type PipeSourceName = (typeof pipeSourceKinds)[number]

/** The kind of source of a pipe, or `none` or `several` if it does not have exactly one. */
export type PipeSourceKind = PipeSourceName | "none" | "several"

const validateSamples = flag("Whether samples of the data are validated when the pipe is created or changed.")

const schema = looseStruct({
  kafka: nullish(KafkaSource, "A message broker."),
  kinesis: nullish(KinesisSource, "A data stream."),
  objectStorage: nullish(ObjectStorageSource, "Files in object storage."),
  postgres: nullish(PostgresSource, "A replicated relational database."),
  mysql: nullish(MySqlSource, "A replicated MySQL or MariaDB database."),
  mongodb: nullish(MongoDbSource, "A replicated MongoDB database."),
  bigquery: nullish(BigQuerySource, "A BigQuery dataset."),
  pubsub: nullish(PubSubSource, "A Pub/Sub topic."),
  validateSamples
}).pipe(withIdentifier("PipeSource", "The source of a pipe: usually one of these fields is present."))

/** The source of a pipe in a request, with its credentials: exactly one of the kinds. */
export const PipeSourceCreate = looseStruct({
  kafka: nullish(KafkaSourceCreate, "A message broker."),
  kinesis: nullish(KinesisSourceCreate, "A data stream."),
  objectStorage: nullish(ObjectStorageSourceCreate, "Files in object storage."),
  postgres: nullish(PostgresSourceCreate, "A replicated relational database."),
  mysql: nullish(MySqlSourceCreate, "A replicated MySQL or MariaDB database."),
  mongodb: nullish(MongoDbSourceCreate, "A replicated MongoDB database."),
  bigquery: nullish(BigQuerySourceCreate, "A BigQuery dataset."),
  pubsub: nullish(PubSubSourceCreate, "A Pub/Sub topic."),
  validateSamples
}).pipe(
  withIdentifier("PipeSourceCreate", "The source of a new pipe: exactly one kind."),
  exactlyOneOf(pipeSourceKinds)
)
export type PipeSourceCreate = typeof PipeSourceCreate.Type

const kind = (source: PipeSource | null | undefined): PipeSourceKind => {
  const present = pipeSourceKinds.filter((member) => Predicate.isNotNullish(source?.[member]))
  return present.length > 1 ? "several" : (present[0] ?? "none")
}

/**
 * The source of a pipe: one field for each kind of source, and usually one of them present. None or several are valid
 * too. `PipeSource.kind` returns the kind. Contract: docs/wire-contract.md#source.
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
