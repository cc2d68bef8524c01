import * as Schema from "effect/Schema"
import { decodesDirectly } from "./DirectDecode.ts"
import { unnamedFields } from "./UnnamedFields.ts"

/** A struct schema that keeps the fields it does not name. See {@link openStruct}. */
export type OpenStruct<Fields extends Schema.Struct.Fields> = Schema.StructWithRest<
  Schema.Struct<Fields>,
  readonly [ReturnType<typeof unnamedFields>]
>

/**
 * A struct that checks the fields it names and keeps all others, through decode and encode, so that
 * read-modify-write loses nothing when the service grows a field. Unknown fields are typed `unknown`.
 *
 * @example
 * ```ts
 * import { absentOrNull, openStruct } from "@headgate/core/schema"
 * import * as Schema from "effect/Schema"
 *
 * const Point = openStruct({ x: Schema.Finite, y: absentOrNull(Schema.Finite) })
 * const point = Schema.decodeUnknownSync(Point)({ x: 1, label: "here" })
 * console.log(point) // { x: 1, label: 'here' }
 * console.log(Schema.encodeSync(Point)({ ...point, y: 2 })) // { x: 1, label: 'here', y: 2 }
 * ```
 */
export const openStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields): OpenStruct<Fields> =>
  decodesDirectly(
    Schema.StructWithRest(Schema.Struct(fields), [unnamedFields(fields)]).annotate({ message: "Expected an object" })
  )

/**
 * Gives an open struct the name that it has in JSON Schema and OpenAPI. `.annotate({ identifier })` does so too, but
 * the schema that it makes decodes at a third of the speed.
 *
 * @example
 * ```ts
 * import { identified, openStruct } from "@headgate/core/schema"
 * import * as Schema from "effect/Schema"
 *
 * const Point = openStruct({ x: Schema.Finite }).pipe(identified("Point"))
 * console.log(Object.keys(Schema.toJsonSchemaDocument(Point).definitions)) // [ 'Point' ]
 * ```
 */
export const identified =
  (identifier: string) =>
  <Fields extends Schema.Struct.Fields>(schema: OpenStruct<Fields>): OpenStruct<Fields> =>
    decodesDirectly(schema.annotate({ identifier }))

/**
 * A field that a reader tolerates absent or `null`. Absent stays absent and `null` stays `null`: nothing is made up.
 * See {@link openStruct} for its use.
 */
export const absentOrNull = <S extends Schema.Constraint>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))
