import * as Schema from "effect/Schema"
import { knownString } from "../schema/KnownString.ts"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** Where in the topics reading starts. Contract: section 2.2.4, `source.kafka.offset`. */
export const KafkaOffset = openStruct({
  /** UTC, to the minute, as `YYYY-MM-DDTHH:MM`: text, since it is no RFC 3339 timestamp. */
  timestamp: absentOrNull(Schema.String)
}).pipe(identified("KafkaOffset"))
/** What {@link KafkaOffset} decodes to. */
export type KafkaOffset = typeof KafkaOffset.Type

/** The ways a schema registry is known to authenticate its callers. The contract (section 2.2.4) shows none. */
export const schemaRegistryAuthentications = ["PLAIN"] as const

/** Where the schemas of the messages are registered. Contract: section 2.2.4, `source.kafka.schemaRegistry`. */
export const SchemaRegistry = openStruct({
  url: absentOrNull(Schema.String),
  authentication: absentOrNull(knownString(schemaRegistryAuthentications)),
  /** PEM. */
  caCertificate: absentOrNull(Schema.String)
}).pipe(identified("SchemaRegistry"))
/** What {@link SchemaRegistry} decodes to. */
export type SchemaRegistry = typeof SchemaRegistry.Type

/**
 * A message-broker source. Contract: section 2.2.4, `source.kafka`. `brokers` and `topics` are lists in one string,
 * separated by commas, as they are on the wire.
 *
 * @example
 * ```ts
 * import type { KafkaSource } from "@headgate/core/pipe"
 *
 * export const topicsOf = (source: KafkaSource): ReadonlyArray<string> =>
 *   (source.topics ?? "").split(",").flatMap((topic) => topic.trim() || [])
 * ```
 */
export const KafkaSource = openStruct({
  /** Broker addresses in one string, separated by commas. */
  brokers: absentOrNull(Schema.String),
  /** Topic names in one string, separated by commas. */
  topics: absentOrNull(Schema.String),
  consumerGroup: absentOrNull(Schema.String),
  /** PEM. */
  caCertificate: absentOrNull(Schema.String),
  /** The identifier of a cloud role. */
  iamRole: absentOrNull(Schema.String),
  offset: absentOrNull(KafkaOffset),
  reversePrivateEndpointIds: absentOrNull(Schema.Array(Schema.String)),
  schemaRegistry: absentOrNull(SchemaRegistry)
}).pipe(identified("KafkaSource"))
/** What {@link KafkaSource} decodes to. */
export type KafkaSource = typeof KafkaSource.Type
