import { KinesisSource, PipeSource, PipeSourceCreate } from "@headgate/core"
import { KinesisSourceCreate, looseStruct, type LooseStruct, nullish, withIdentifier } from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"

type Members = { readonly [name: string]: unknown }

/** The source of a stream with its timestamp as a number, and the text beside it if it was sent as text. */
const withNumber = (wire: Members): Members =>
  Predicate.isString(wire["timestamp"])
    ? { ...wire, timestamp: Number(wire["timestamp"]), timestampText: wire["timestamp"] }
    : wire

/** The source of a stream with its timestamp in the form in which it was sent. */
const asSent = ({ timestampText, ...kinesis }: Members): Members =>
  Predicate.isString(timestampText) && Number(timestampText) === kinesis["timestamp"]
    ? { ...kinesis, timestamp: timestampText }
    : kinesis

const WireTimestamp = Schema.Union([
  Schema.Int,
  Schema.String.check(Schema.isPattern(/^\d{1,15}$/u, { message: "Expected whole seconds since the Unix epoch" }))
])

const { description: timestampDescription = "" } =
  Schema.resolveAnnotations(KinesisSource.schema.fields.timestamp.schema) ?? {}

const kinesisOnWire = <Fields extends Schema.Struct.Fields>(identifier: string, kinesis: LooseStruct<Fields>) => {
  const { description } = Schema.resolveAnnotations(kinesis) ?? {}
  const fields: Schema.Struct.Fields = {
    ...Struct.omit({ ...kinesis.schema.fields }, ["timestampText"]),
    timestamp: nullish(WireTimestamp, String(timestampDescription))
  }
  return looseStruct<Record<never, never>>(fields)
    .annotate({ identifier, description: String(description) })
    .pipe(
      Schema.decodeTo(
        Schema.toType(kinesis),
        SchemaTransformation.transform({
          // The struct of the wire has decoded every field. Only the form of the timestamp changes here.
          decode: (wire) => withNumber(wire) as typeof kinesis.Type,
          encode: (source) => asSent(source)
        })
      )
    )
}

/** The codec of the source of a pipe whose stream answers its timestamp as it was sent. */
export const SourceOnWire = looseStruct({
  ...PipeSource.schema.fields,
  kinesis: nullish(kinesisOnWire("KinesisSource", KinesisSource), "A data stream.")
}).pipe(withIdentifier("PipeSource", "The source of a pipe: usually one of these fields is present."))

/** The same for the source of a new pipe. Discovery and updates have `PipeSourceCreate`, and OpenAPI has each name once. */
export const SourceCreateOnWire = looseStruct({
  ...PipeSourceCreate.schema.fields,
  kinesis: nullish(kinesisOnWire("NewKinesisSource", KinesisSourceCreate), "A data stream.")
}).pipe(withIdentifier("NewPipeSource", "The source of a new pipe: exactly one kind."))

const isMembers = (value: unknown): value is Members => Predicate.isObject(value)

/** The JSON of a stored source with the timestamp of its stream as it was sent. */
export const sourceAsSent = (source: unknown): unknown =>
  Predicate.isObject(source) && Predicate.hasProperty(source, "kinesis") && isMembers(source.kinesis)
    ? { ...source, kinesis: asSent(source.kinesis) }
    : source
