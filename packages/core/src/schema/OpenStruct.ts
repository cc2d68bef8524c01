import * as Schema from "effect/Schema"

/** The index signature of an open struct: any field that the struct does not name. */
const unnamedFields = (named: Schema.Struct.Fields) =>
  Schema.Record(Schema.String.check(Schema.makeFilter((field: string) => !Object.hasOwn(named, field))), Schema.Unknown)

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
 * console.log(Schema.encodeSync(Point)({ ...point, y: 2 })) // { x: 1, y: 2, label: 'here' }
 * ```
 */
export const openStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields): OpenStruct<Fields> =>
  Schema.StructWithRest(Schema.Struct(fields), [unnamedFields(fields)]).annotate({ message: "Expected an object" })

/**
 * A field that a reader tolerates absent or `null`. Absent stays absent and `null` stays `null`: nothing is made up.
 * See {@link openStruct} for its use.
 */
export const absentOrNull = <S extends Schema.Constraint>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))
