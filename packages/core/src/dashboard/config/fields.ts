import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

// The messages are those of the service. A value that does not pass a check with `abort` is not read further.

/** A field that must be there. A schema with a name keeps its own description, beside that of the field. */
export const required = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  SchemaAST.resolveIdentifier(schema.ast) === undefined
    ? schema.annotate({ description })
    : schema.annotateKey({ description })

/** A field that may be absent, and may not be null. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(required(schema, description))

interface TextBounds {
  readonly min?: number
  readonly max?: number
  /** The message of a text that is too short. */
  readonly tooShort?: string
}

/** A text with bounds of its length, in UTF-16 code units. */
export const text = ({ max, min = 0, tooShort }: TextBounds = {}) => {
  const long =
    min === 0
      ? Schema.String
      : Schema.String.check(
          Schema.isMinLength(min, { message: tooShort ?? `String must contain at least ${min} character(s)` })
        )
  if (max === undefined) return long
  return long.check(Schema.isMaxLength(max, { message: `String must contain at most ${max} character(s)` }))
}

/** An expression or a template. */
export const Expression = text({ max: 10_000 })

const objectId = /^(?:[0-9a-fA-F]{24}|[\s\S]{12})$/

/** The id of a stored resource: 24 hex digits, or any text of 12 characters, which the service takes too. */
export const ObjectId = Schema.String.check(
  Schema.isPattern(objectId, {
    message: "Invalid ObjectId",
    // Without the flag `u` a character is one of UTF-16. Only with it effect writes the pattern.
    toJsonSchema: () => ({ pattern: objectId.source })
  })
)

/** A number of JSON, which `1e400` is not. */
export const Finite = Schema.Number.check(Schema.isFinite({ message: "Number must be finite" }).abort())
export const Integer = Finite.check(Schema.isInt({ message: "Expected integer, received float" }))

export const atLeast = (minimum: number) =>
  Schema.isGreaterThanOrEqualTo(minimum, { message: `Number must be greater than or equal to ${minimum}` })
export const atMost = (maximum: number) =>
  Schema.isLessThanOrEqualTo(maximum, { message: `Number must be less than or equal to ${maximum}` })

interface ListBounds {
  readonly min?: number
  readonly max: number
  /** Whether the message for a wrong length says `exactly`. For a pair it says `at least` or `at most`. */
  readonly isExact?: boolean
}

/** A list with bounds of its length. */
export const list = <S extends Schema.Constraint>(
  element: S,
  { isExact = false, max, min = 0 }: ListBounds
): Schema.$Array<S> => {
  const few = `Array must contain ${isExact ? "exactly" : "at least"} ${min} element(s)`
  const many = `Array must contain ${isExact ? "exactly" : "at most"} ${max} element(s)`
  const short = Schema.Array(element).check(Schema.isMaxLength(max, { message: many }).abort())
  return min === 0 ? short : short.check(Schema.isMinLength(min, { message: few }))
}

/** One of some values, whose message does not name them. */
export const anyOf = <const Values extends ReadonlyArray<string | number>>(values: Values) =>
  Schema.Literals(values).annotate({ message: "Invalid input" })

/** What is wrong with several fields together: the message, and the path below the value that is checked. */
export type Report = (message: string, path?: ReadonlyArray<string | number>) => void

/** A check of several fields together. JSON Schema does not have it. */
export const together = <A>(check: (value: A, report: Report) => void) =>
  Schema.makeFilter<A>(
    (value) => {
      const found: Array<{ readonly path: ReadonlyArray<string | number>; readonly issue: string }> = []
      check(value, (issue, path = []) => found.push({ path, issue }))
      return found
    },
    // Without it the description of the value would be left out of its JSON Schema.
    { toJsonSchema: () => [{}, true] }
  )
