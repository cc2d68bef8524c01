import { openStruct } from "@headgate/core/schema"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** What is in the envelope of a success: the `result` of one API, the `data` of the other, or nothing. */
export type Content<Success> = Success extends { readonly result: infer Result }
  ? Result
  : Success extends { readonly data: infer Data }
    ? Data
    : void

// An endpoint keeps its schemas as JSON codecs, which hold every value against "is JSON". An answer was parsed from JSON:
// the schema behind the codec reads it as well, and an open struct of the domain reads it directly.
const behindCodec = (schema: Schema.Top): Schema.Top =>
  Predicate.hasProperty(schema, "schema") && Schema.isSchema(schema.schema) ? schema.schema : schema

/**
 * How to read the envelope of an endpoint's success. Only its content is held to the contract: the `status` and the
 * `requestId` beside it are of no use to the caller, and the secret of a new key, which is shown once, must not be lost
 * because a gateway numbers its requests in its own way.
 */
export const envelopeOf = (success: Schema.Top) => {
  const { ast } = behindCodec(success)
  const fields = SchemaAST.isObjects(ast) ? ast.propertySignatures : []
  const content = fields.find(({ name }) => name === "result" || name === "data")
  const schema = openStruct(
    content === undefined ? {} : { [content.name]: Schema.make<Schema.Codec<unknown>>(content.type) }
  )
  return {
    schema,
    contentOf: (value: typeof schema.Type): unknown => (content === undefined ? undefined : value[String(content.name)])
  }
}

const otherThan2xx = /^[013-9]\d\d$/

/** Whether the status that an envelope repeats is one of failure: such an answer must not pass for a success. */
export const contradictsItself = (envelope: { readonly [field: string]: unknown }): boolean => {
  const { status } = envelope
  return (Predicate.isNumber(status) || Predicate.isString(status)) && otherThan2xx.test(String(status))
}
