import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { invalidRequest } from "../error/CallError.ts"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { PipeSourceCreate } from "./PipeSource.ts"
import { checkStreamingSource } from "./pipeRules.ts"
import { flag, text } from "./source/optionalFields.ts"

/**
 * The request for the fields of a source: one of `kafka`, `kinesis`, `objectStorage` and `pubsub`, as for a new pipe. Contract:
 * life cycle, section 4, `schemaDiscovery`.
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

/** The fields of a source. */
export const DiscoveredSchema = looseStruct({
  fields: nullish(Schema.Array(DiscoveredField), "The fields of the source.")
}).pipe(withIdentifier("DiscoveredSchema", "The fields of a source."))
export type DiscoveredSchema = typeof DiscoveredSchema.Type

const validateRequest = validate(SchemaDiscovery)

const simulated: DiscoveredSchema = {
  fields: [
    { name: "id", type: "String" },
    { name: "timestamp", type: "DateTime64(3)" },
    { name: "data", type: "String" }
  ]
}

/**
 * The answer of a service without a warehouse: it checks the source by the rules of a new pipe, reads nothing, and answers with
 * the same simulated fields for every source.
 *
 * @example
 * ```ts
 * import { discoverSimulated } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const found = discoverSimulated({ source: { postgres: {} } })
 * console.log((await Effect.runPromise(Effect.flip(found))).message)
 * // source: Expected exactly one of kafka, kinesis, objectStorage, pubsub
 * ```
 */
export const discoverSimulated = Effect.fnUntraced(function* (request: SchemaDiscovery) {
  const { source } = yield* validateRequest(request)
  const found = new IssueCollector()
  checkStreamingSource(found, source)
  return found.count === 0 ? simulated : yield* invalidRequest(found.issues)
})
