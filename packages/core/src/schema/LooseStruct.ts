import * as Schema from "effect/Schema"
import { withFastDecoder } from "./FastDecoder.ts"
import { unnamedFields } from "./unnamedFields.ts"

/** The schema of a struct that keeps unknown fields. {@link looseStruct} makes it. */
export type LooseStruct<Fields extends Schema.Struct.Fields> = Schema.StructWithRest<
  Schema.Struct<Fields>,
  readonly [ReturnType<typeof unnamedFields>]
>

/**
 * A struct that keeps unknown fields through decode and encode, so that read-modify-write loses nothing when the service
 * adds a field. Unknown fields have the type `unknown`.
 *
 * @example
 * ```ts
 * import { looseStruct, nullish } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Point = looseStruct({ x: Schema.Finite, y: nullish(Schema.Finite, "The height.") })
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
 * Names and describes a loose struct in JSON Schema and OpenAPI. `.annotate` does so too, but its result does not have the
 * fast decoder.
 *
 * @example
 * ```ts
 * import { looseStruct, withIdentifier } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Point = looseStruct({ x: Schema.Finite }).pipe(withIdentifier("Point", "A point on a line."))
 * console.log(Object.keys(Schema.toJsonSchemaDocument(Point).definitions)) // [ 'Point' ]
 * ```
 */
export const withIdentifier =
  (identifier: string, description: string) =>
  <Fields extends Schema.Struct.Fields>(schema: LooseStruct<Fields>): LooseStruct<Fields> =>
    withFastDecoder(schema.annotate({ identifier, description }))

/** The annotation of {@link exactlyOneOf} and `atMostOneOf`: the fields that exclude one another. */
export const alternativesOf = "@headgate/core/alternatives"

/** Fields of an object that exclude one another. */
export interface Alternatives {
  readonly fields: ReadonlyArray<string>
  /** Whether one of them must be given. */
  readonly isRequired: boolean
}

const withAlternatives =
  (alternatives: Alternatives) =>
  <Fields extends Schema.Struct.Fields>(schema: LooseStruct<Fields>): LooseStruct<Fields> =>
    withFastDecoder(schema.annotate({ [alternativesOf]: alternatives }))

/**
 * Says that a request has exactly one of these fields. The schema does not check it: a service does. The types of the client are
 * made from it.
 *
 * @example
 * ```ts
 * import { exactlyOneOf, looseStruct, nullish } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Place = looseStruct({
 *   path: nullish(Schema.String, "A file."),
 *   url: nullish(Schema.String, "A page.")
 * }).pipe(exactlyOneOf(["path", "url"]))
 * console.log(Schema.decodeUnknownSync(Place)({})) // {}
 * ```
 */
export const exactlyOneOf = (fields: ReadonlyArray<string>) => withAlternatives({ fields, isRequired: true })

/** Says that a request has one of these fields or none, as {@link exactlyOneOf} does. */
export const atMostOneOf = (fields: ReadonlyArray<string>) => withAlternatives({ fields, isRequired: false })

/** The annotation of `needing`: the fields that a request needs. */
export const needsOf = "@headgate/core/needs"

/** The fields that a request needs for each known value of one of its fields. */
export interface Needs {
  readonly field: string
  readonly needs: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Says which fields a request needs for each known value of another field, as {@link exactlyOneOf} says what it does. */
export const needing =
  (field: string, needs: Needs["needs"]) =>
  <Fields extends Schema.Struct.Fields>(schema: LooseStruct<Fields>): LooseStruct<Fields> =>
    withFastDecoder(schema.annotate({ [needsOf]: { field, needs } satisfies Needs }))

/**
 * A field that may be absent or `null`, with its description in JSON Schema and OpenAPI. Absent stays absent and `null`
 * stays `null`. {@link looseStruct} shows its use.
 */
export const nullish = <S extends Schema.Constraint>(
  schema: S,
  description: string
): Schema.optionalKey<Schema.NullOr<S>> => Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))
