import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { PipeSourceCreate } from "./PipeSource.ts"
import { flag, text } from "./source/optionalFields.ts"

/**
 * The request for the fields of a source: one of `kafka`, `kinesis`, `objectStorage` and `pubsub`, as for a new pipe.
 * Contract: docs/wire-contract.md#discover-the-fields-of-a-source.
 */
export const SchemaDiscovery = looseStruct({
  source: PipeSourceCreate.annotateKey({ description: "The source whose fields are read: a stream or files." })
}).pipe(withIdentifier("SchemaDiscovery", "The request for the fields of a source."))
export type SchemaDiscovery = typeof SchemaDiscovery.Type

const DiscoveredField = looseStruct({
  name: text("The name of the field."),
  type: text("The type of the column that takes it, as the database writes it."),
  optional: flag("Whether the field may be absent.")
}).pipe(withIdentifier("DiscoveredField", "A field of a source."))
type DiscoveredField = typeof DiscoveredField.Type

/** The fields of a source, and its first rows as texts. */
export const DiscoveredSchema = looseStruct({
  fields: nullish(Schema.Array(DiscoveredField), "The fields of the source."),
  samples: nullish(
    Schema.Array(Schema.Array(Schema.NullOr(Schema.String))),
    "The first rows of the source, at most 20 and 64 KiB: for each of `fields` its value as text, or null. Absent for a caller without the permission `data:read`, and where no source is read. Not in the upstream service."
  ),
  meta: nullish(Schema.Record(Schema.String, Schema.String), "What else the service tells of the source.")
}).pipe(withIdentifier("DiscoveredSchema", "The fields of a source."))
export type DiscoveredSchema = typeof DiscoveredSchema.Type
