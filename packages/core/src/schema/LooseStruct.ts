import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { withFastDecoder } from "./FastDecoder.ts"

// One for all: that a field is named is nobody's mistake, and a full pipe has a hundred of them.
const isNamed = new SchemaIssue.InvalidValue({ message: "Expected a field that the struct does not name" })

const fieldNames = new WeakSet<SchemaAST.AST>()

/**
 * The index signature of an open struct: any field that the struct does not name. The named ones are left out because
 * a JSON codec would otherwise hold each of their decoded values, an instant or a secret, against "is JSON".
 */
export const unnamedFields = (named: Schema.Struct.Fields) => {
  const names = new Set(Object.keys(named))
  const fieldName = Schema.String.check(
    new SchemaAST.Filter((field: string) => (names.has(field) ? isNamed : undefined))
  )
  fieldNames.add(fieldName.ast)
  return Schema.Record(fieldName, Schema.Unknown)
}

/** Whether an object keeps exactly the fields that it does not name, as they are. */
export const keepsUnnamedFields = ({ indexSignatures }: SchemaAST.Objects): boolean =>
  indexSignatures.length === 1 && indexSignatures.every(({ parameter }) => fieldNames.has(parameter))

/** A struct schema that keeps the fields it does not name. See {@link looseStruct}. */
export type LooseStruct<Fields extends Schema.Struct.Fields> = Schema.StructWithRest<
  Schema.Struct<Fields>,
  readonly [ReturnType<typeof unnamedFields>]
>

/**
 * A struct that checks the fields it names and keeps all others, through decode and encode, so that
 * read-modify-write loses nothing when the service grows a field. Unknown fields are typed `unknown`.
 *
 * @example
 * ```ts
 * import { looseStruct, nullish } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Point = looseStruct({ x: Schema.Finite, y: nullish(Schema.Finite) })
 * const point = Schema.decodeUnknownSync(Point)({ x: 1, label: "here" })
 * console.log(point) // { x: 1, label: 'here' }
 * console.log(Schema.encodeSync(Point)({ ...point, y: 2 })) // { x: 1, label: 'here', y: 2 }
 * ```
 */
export const looseStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields): LooseStruct<Fields> =>
  withFastDecoder(
    Schema.StructWithRest(Schema.Struct(fields), [unnamedFields(fields)]).annotate({ message: "Expected an object" })
  )

/**
 * Gives an open struct the name that it has in JSON Schema and OpenAPI. `.annotate({ identifier })` does so too, but
 * the schema that it makes decodes at a third of the speed.
 *
 * @example
 * ```ts
 * import { looseStruct, withIdentifier } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Point = looseStruct({ x: Schema.Finite }).pipe(withIdentifier("Point"))
 * console.log(Object.keys(Schema.toJsonSchemaDocument(Point).definitions)) // [ 'Point' ]
 * ```
 */
export const withIdentifier =
  (identifier: string) =>
  <Fields extends Schema.Struct.Fields>(schema: LooseStruct<Fields>): LooseStruct<Fields> =>
    withFastDecoder(schema.annotate({ identifier }))

/**
 * A field that a reader tolerates absent or `null`. Absent stays absent and `null` stays `null`: nothing is made up.
 * See {@link looseStruct} for its use.
 */
export const nullish = <S extends Schema.Constraint>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))
