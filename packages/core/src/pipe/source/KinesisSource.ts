import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { looseStruct, nullish, withIdentifier } from "../../schema/LooseStruct.ts"
import { accessKey, protobufSchema, protobufSchemaRule } from "./credentials.ts"
import type { SourceRules } from "./FieldRule.ts"
import { glueFields } from "./glueRegistry.ts"
import { flag, integer, known, text } from "./optionalFields.ts"

const formats = ["JSONEachRow", "Avro", "AvroConfluent", "Protobuf"] as const
const iteratorTypes = ["TRIM_HORIZON", "LATEST", "AT_TIMESTAMP"] as const
const authentications = ["IAM_ROLE", "IAM_USER"] as const
const registryTypes = ["glue"] as const

const KinesisSchemaRegistry = looseStruct({ type: known(registryTypes, "The kind of registry."), ...glueFields }).pipe(
  withIdentifier("KinesisSchemaRegistry", "The registry of the record schemas.")
)
type KinesisSchemaRegistry = typeof KinesisSchemaRegistry.Type

const timestampDescription = "The time at which reading starts, in seconds since the Unix epoch."

const fields = {
  format: known(formats, "The format of the records."),
  streamName: text("The name of the stream."),
  region: text("The cloud region of the stream."),
  iteratorType: known(iteratorTypes, "Where reading starts."),
  timestamp: integer(timestampDescription),
  authentication: known(authentications, "The authentication method of the stream."),
  iamRole: text("The identifier of the cloud role that the pipe uses."),
  useEnhancedFanOut: flag("Whether the pipe reads with enhanced fan-out."),
  schemaRegistry: nullish(KinesisSchemaRegistry, "The registry of the record schemas.")
}

/** A stream source. Contract: docs/wire-contract.md#source, `source.kinesis`. */
export const KinesisSource = looseStruct(fields).pipe(
  withIdentifier("KinesisSource", "A source that is a data stream.")
)
export type KinesisSource = typeof KinesisSource.Type

// Official clients send the number as text as well.
const EpochSeconds = Schema.Union([
  Schema.Int,
  Schema.String.check(Schema.isPattern(/^\d{1,15}$/u, { message: "Expected whole seconds since the Unix epoch" })).pipe(
    Schema.decodeTo(Schema.Int, { decode: SchemaGetter.Number(), encode: SchemaGetter.String() })
  )
])

/** A {@link KinesisSource} in a request, with its credentials. `timestamp` may be a number as text. */
export const KinesisSourceCreate = looseStruct({
  ...fields,
  timestamp: nullish(EpochSeconds, timestampDescription),
  // A field of its own, so that `timestamp` is a number for every program.
  timestampText: text("The timestamp as it was sent, if it was text: the dialect clickhouse answers `timestamp` so."),
  accessKey,
  protobufSchema
}).pipe(withIdentifier("KinesisSourceCreate", "A new source that is a data stream."))
export type KinesisSourceCreate = typeof KinesisSourceCreate.Type

/** The rules of a {@link KinesisSourceCreate}. */
export const kinesisRules: SourceRules = {
  credentials: ["accessKey"],
  writeOnly: ["protobufSchema"],
  fields: {
    format: { isRequired: true, values: formats },
    streamName: { isRequired: true },
    region: { isRequired: true },
    iteratorType: { isRequired: true, values: iteratorTypes },
    timestamp: { isRequired: { field: "iteratorType", is: ["AT_TIMESTAMP"] }, range: [0, Number.MAX_SAFE_INTEGER] },
    authentication: { isRequired: true },
    schemaRegistry: {
      fields: {
        type: { isRequired: true, values: registryTypes },
        glueRegion: { isRequired: true },
        glueRegistryName: { isRequired: true }
      }
    },
    protobufSchema: {
      ...protobufSchemaRule,
      isRequired: [
        { field: "format", is: ["Protobuf"] },
        { field: "schemaRegistry", isNot: true }
      ]
    }
  },
  authentications: { IAM_ROLE: [["iamRole"]], IAM_USER: [["accessKey.accessKeyId", "accessKey.secretKey"]] }
}
