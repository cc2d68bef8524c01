import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type PipeSource, type PipeSourceCreate, pipeSourceKinds, type PipeSourceName } from "./PipeSource.ts"
import { secret } from "../schema/fieldSchemas.ts"
import { bigqueryRules } from "./source/BigQuerySource.ts"
import type { SourceRules } from "./source/FieldRule.ts"
import { kafkaRules } from "./source/KafkaSource.ts"
import { kinesisRules } from "./source/KinesisSource.ts"
import { mongodbRules } from "./source/MongoDbSource.ts"
import { mysqlRules } from "./source/MySqlSource.ts"
import { objectStorageRules } from "./source/ObjectStorageSource.ts"
import { postgresRules } from "./source/PostgresSource.ts"
import { pubsubRules } from "./source/PubSubSource.ts"
import { joinUnknown, splitUnknown, unknownFieldsPath } from "./unknownFields.ts"

/** The rules of each kind of source. */
export const sourceRules: Readonly<Record<PipeSourceName, SourceRules>> = {
  kafka: kafkaRules,
  kinesis: kinesisRules,
  objectStorage: objectStorageRules,
  postgres: postgresRules,
  mysql: mysqlRules,
  mongodb: mongodbRules,
  bigquery: bigqueryRules,
  pubsub: pubsubRules
}

const pathsOf = (pathsIn: (rules: SourceRules) => ReadonlyArray<string>): ReadonlyArray<string> =>
  pipeSourceKinds.flatMap((kind) => pathsIn(sourceRules[kind]).map((path) => `${kind}.${path}`))

/**
 * The paths of the credentials and of the other write-only fields in `source`, such as `kafka.schemaRegistry.credentials`. No
 * answer holds them.
 */
export const credentialFields: ReadonlyArray<string> = pathsOf(({ credentials, writeOnly = [] }) => [
  ...credentials,
  ...writeOnly
])

/** The paths of the secrets in `source` that answers hold: `objectStorage.connectionString`. */
export const answeredSecretFields: ReadonlyArray<string> = pathsOf(({ answeredSecrets = [] }) => answeredSecrets)

/**
 * The credentials of a pipe by their path in `source`: a text or an object as JSON, each `Redacted`. The unknown fields of its
 * source are one of them. Encoding returns them in plain text: store it sealed, do not log it.
 */
export const PipeCredentials = Schema.Record(Schema.String, secret(Schema.Json, "credentials"))
export type PipeCredentials = typeof PipeCredentials.Type

const isJson = Schema.is(Schema.Json)

/** The field of an object: `undefined` if it is no object or has none. */
const fieldOf = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** A copy of an object with another value at a path, or without the field. Objects on the way are copied as well. */
const replaceAt = <A extends object>(value: A, [name, ...below]: ReadonlyArray<string>, field: unknown): A => {
  if (name === undefined) return value
  const copy = { ...value }
  if (below.length > 0) {
    const part = fieldOf(value, name)
    if (Predicate.isObject(part)) Reflect.set(copy, name, replaceAt(part, below, field))
  } else if (field === undefined) Reflect.deleteProperty(copy, name)
  else Reflect.set(copy, name, field)
  return copy
}

/** The value at a path of `source`. */
export const sourceFieldAt = (source: object, path: string): unknown =>
  path.split(".").reduce((part: unknown, name) => fieldOf(part, name), source)

/** A copy of a source with other credentials at a path of {@link credentialFields}; `undefined` for none. */
export const withSourceField = <A extends object>(source: A, path: string, field: unknown): A =>
  replaceAt(source, path.split("."), field)

type Sent = PipeSourceCreate | PipeSource

const label = "credentials"

/** Takes fields and the unknown fields out of a source. A field that is `null` is removed, and is in neither. */
const splitFields = (sent: Sent, paths: ReadonlyArray<string>) => {
  let source: PipeSource = sent
  const credentials: Record<string, Redacted.Redacted<Schema.Json>> = {}
  // Those of an import may be sealed already.
  for (const path of Redacted.isRedacted(sourceFieldAt(sent, unknownFieldsPath))
    ? [...paths, unknownFieldsPath]
    : paths) {
    const field = sourceFieldAt(sent, path)
    if (field === undefined) continue
    source = withSourceField(source, path, undefined)
    const value = Redacted.isRedacted(field) ? Redacted.value(field) : field
    if (value !== null && isJson(value)) credentials[path] = Redacted.make(value, { label })
  }
  const { kept, source: known } = splitUnknown(source)
  if (kept.length > 0) credentials[unknownFieldsPath] ??= Redacted.make<Schema.Json>(kept, { label })
  return { source: known, credentials }
}

/**
 * Splits a source into what answers hold and its credentials, which include its unknown fields. An adapter stores both, and answers
 * the first. A source without any is returned as it is.
 *
 * @example
 * ```ts
 * import { PipeSourceCreate } from "@headgate/core"
 * import { splitCredentials } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const sent = Schema.decodeUnknownSync(PipeSourceCreate)({
 *   kafka: { brokers: "b:9092", credentials: { username: "u", password: "p" } }
 * })
 * const { credentials, source } = splitCredentials(sent)
 * console.log(JSON.stringify(source)) // {"kafka":{"brokers":"b:9092"}}
 * console.log(JSON.stringify(credentials)) // {"kafka.credentials":"<redacted:credentials>"}
 * ```
 */
export const splitCredentials = (sent: Sent): { readonly source: PipeSource; readonly credentials: PipeCredentials } =>
  splitFields(sent, credentialFields)

/** {@link splitCredentials} that takes the secrets which answers hold as well. */
export const splitSecrets = (
  source: PipeSource
): { readonly source: PipeSource; readonly credentials: PipeCredentials } =>
  splitFields(source, [
    ...credentialFields,
    ...answeredSecretFields.filter((path) => Predicate.isNotNullish(sourceFieldAt(source, path)))
  ])

/**
 * The source with its credentials, as it was before {@link splitCredentials}.
 *
 * @example
 * ```ts
 * import type { Pipe } from "@headgate/core"
 * import { joinCredentials, type PipeCredentials } from "@headgate/core/adapter"
 *
 * // What a program that moves the data connects with.
 * export const connection = ({ source }: Pipe, credentials: PipeCredentials) =>
 *   source ? joinCredentials(source, credentials) : undefined
 * ```
 */
export const joinCredentials = (source: PipeSource, credentials: PipeCredentials): PipeSource =>
  Object.entries(credentials).reduce(
    (joined, [path, value]) =>
      path === unknownFieldsPath ? joinUnknown(joined, value) : withSourceField(joined, path, value),
    source
  )
