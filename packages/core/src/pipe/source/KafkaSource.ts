import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { brokerCredentials, login, protobufSchema, protobufSchemaRule } from "./credentials.ts"
import type { SourceRules } from "./FieldRule.ts"
import { glueFields, glueRules } from "./glueRegistry.ts"
import { flag, known, text, texts } from "./optionalFields.ts"

const types = ["kafka", "redpanda", "msk", "gcmk", "confluent", "warpstream", "azureeventhub", "dokafka"] as const
const formats = ["JSONEachRow", "Avro", "AvroConfluent", "Protobuf"] as const
const authentications = [
  "PLAIN",
  "SCRAM-SHA-256",
  "SCRAM-SHA-512",
  "IAM_ROLE",
  "IAM_USER",
  "MUTUAL_TLS",
  "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"
] as const
const offsetStrategies = ["from_beginning", "from_latest", "from_timestamp"] as const
const registryTypes = ["confluent", "glue"] as const
const registryAuthentications = ["PLAIN"] as const
const tombstoneModes = ["delete", "soft_delete"] as const

// Contract: docs/wire-contract.md#source, `source.kafka.offset`. The timestamp is a string, because it is not an RFC 3339 timestamp.
const KafkaOffset = looseStruct({
  strategy: known(offsetStrategies, "Where reading starts."),
  timestamp: text("The time of the first message to read: UTC, to the minute, as `YYYY-MM-DDTHH:MM`.")
}).pipe(withIdentifier("KafkaOffset", "Where reading of the topics starts."))
type KafkaOffset = typeof KafkaOffset.Type

const registryFields = {
  type: known(registryTypes, "The kind of registry. Absent: `confluent`."),
  url: text("The HTTPS URL of the schema."),
  authentication: known(registryAuthentications, "The authentication method of the registry."),
  caCertificate: text("The CA certificates that the registry is verified with, in PEM."),
  ...glueFields
}

// Contract: docs/wire-contract.md#source, `source.kafka.schemaRegistry`.
const SchemaRegistry = looseStruct(registryFields).pipe(
  withIdentifier("SchemaRegistry", "The registry of the message schemas.")
)
type SchemaRegistry = typeof SchemaRegistry.Type

const SchemaRegistryCreate = looseStruct({ ...registryFields, credentials: login }).pipe(
  withIdentifier("SchemaRegistryCreate", "The registry of the message schemas, with its credentials.")
)
type SchemaRegistryCreate = typeof SchemaRegistryCreate.Type

const fields = {
  type: known(types, "The kind of broker."),
  format: known(formats, "The format of the messages."),
  brokers: text("The addresses of the brokers, separated by commas."),
  topics: text("The names of the topics, separated by commas."),
  consumerGroup: text("The name of the consumer group."),
  authentication: known(authentications, "The authentication method of the brokers."),
  caCertificate: text("The CA certificates that the brokers are verified with, in PEM."),
  iamRole: text("The identifier of the cloud role that the pipe uses."),
  offset: nullish(KafkaOffset, "Where reading of the topics starts."),
  reversePrivateEndpointIds: texts("The ids of the reverse private endpoints that lead to the brokers."),
  schemaRegistry: nullish(SchemaRegistry, "The registry of the message schemas."),
  exactlyOnce: flag("Whether every message is inserted exactly once. It is set when the pipe is created."),
  tombstoneMode: known(
    tombstoneModes,
    "What a message without a value does: it deletes the row of its key, or adds a row that says so. It is set when the pipe is created."
  )
}

/**
 * A message-broker source. Contract: docs/wire-contract.md#source, `source.kafka`. `brokers` and `topics` are lists in
 * one string.
 *
 * @example
 * ```ts
 * import type { KafkaSource } from "@headgate/core"
 *
 * export const topicsOf = (source: KafkaSource): ReadonlyArray<string> =>
 *   (source.topics ?? "").split(",").flatMap((topic) => topic.trim() || [])
 * ```
 */
export const KafkaSource = looseStruct(fields).pipe(withIdentifier("KafkaSource", "A source that is a message broker."))
export type KafkaSource = typeof KafkaSource.Type

/** A {@link KafkaSource} in a request, with its credentials. */
export const KafkaSourceCreate = looseStruct({
  ...fields,
  schemaRegistry: nullish(SchemaRegistryCreate, "The registry of the message schemas."),
  credentials: brokerCredentials,
  protobufSchema
}).pipe(withIdentifier("KafkaSourceCreate", "A new source that is a message broker."))
export type KafkaSourceCreate = typeof KafkaSourceCreate.Type

/** The fields of a {@link KafkaSource} that are set when the pipe is created, and do not change. */
export const kafkaFieldsOfCreation = ["exactlyOnce", "tombstoneMode"] as const

const registryUrl = [
  /^https:\/\/(?![^/?#]*@)/iu,
  "Expected an HTTPS URL without user information: use credentials"
] as const
const isGlue = { field: "type", is: ["glue"] }
const user = ["credentials.username", "credentials.password"]

/** The rules of a {@link KafkaSourceCreate}. */
export const kafkaRules: SourceRules = {
  credentials: ["credentials", "schemaRegistry.credentials"],
  writeOnly: ["protobufSchema"],
  fields: {
    type: { isRequired: true, values: types },
    format: { isRequired: true, values: formats },
    brokers: { isRequired: true },
    topics: { isRequired: true },
    offset: {
      fields: {
        strategy: { isRequired: true, values: offsetStrategies },
        timestamp: {
          isRequired: { field: "strategy", is: ["from_timestamp"] },
          pattern: [/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/u, "Expected a UTC time as YYYY-MM-DDTHH:MM"]
        }
      }
    },
    schemaRegistry: {
      fields: {
        type: { values: registryTypes },
        url: { isRequired: { ...isGlue, isNot: true }, notWith: isGlue, pattern: registryUrl },
        authentication: { values: registryAuthentications, isRequired: { field: "credentials" }, notWith: isGlue },
        ...glueRules,
        credentials: {
          isRequired: { field: "authentication", is: ["PLAIN"] },
          notWith: isGlue,
          fields: { username: { isRequired: true }, password: { isRequired: true } }
        }
      }
    },
    protobufSchema: protobufSchemaRule,
    tombstoneMode: { values: tombstoneModes }
  },
  authentications: {
    PLAIN: [user],
    "SCRAM-SHA-256": [user],
    "SCRAM-SHA-512": [user],
    IAM_ROLE: [["iamRole"]],
    IAM_USER: [["credentials.accessKeyId", "credentials.secretKey"]],
    MUTUAL_TLS: [["credentials.certificate", "credentials.privateKey"]],
    SERVICE_ACCOUNT_WORKLOAD_IDENTITY: [[]]
  },
  authenticationsByType: {
    kafka: ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "MUTUAL_TLS"],
    msk: ["SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS"],
    gcmk: ["PLAIN", "MUTUAL_TLS", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"],
    confluent: ["PLAIN", "MUTUAL_TLS"],
    warpstream: ["PLAIN"],
    azureeventhub: ["PLAIN"],
    redpanda: ["SCRAM-SHA-256", "SCRAM-SHA-512", "MUTUAL_TLS"],
    dokafka: ["SCRAM-SHA-256", "MUTUAL_TLS"]
  },
  needsByType: { azureeventhub: [["credentials.connectionString"], user] }
}
