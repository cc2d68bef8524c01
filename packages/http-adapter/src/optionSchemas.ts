import { fieldIssues, type InvalidRequest } from "@headgate/core"
import { invalidRequest } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

// Every message is our own: the default message of a schema may repeat the value, which may be a credential.
const expected = (what: string) => ({ message: `Expected ${what}` })

/** An option of one value. */
export const value = <A>(is: (value: unknown) => value is A, what: string): Schema.Codec<A> =>
  Schema.declare(is, expected(what))

/** An option that consists of options. */
export const group = <const Fields extends Schema.Struct.Fields>(fields: Fields, what: string) =>
  Schema.Struct(fields).annotate(expected(what))

/** A {@link group} that may be absent. */
export const optionalGroup = <const Fields extends Schema.Struct.Fields>(fields: Fields, what: string) =>
  Schema.optionalKey(Schema.UndefinedOr(group(fields, what)).annotate(expected(what)))

export const Count = value(
  (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
  "a whole number of at least 1"
)

export const CountOrZero = value(
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  "a whole number, 0 or more"
)

export const Flag = value(Predicate.isBoolean, "true or false")

const durationWhere =
  (isValid: (duration: Duration.Duration) => boolean) =>
  (value: unknown): value is Duration.Input =>
    // `fromInput` accepts any value and returns none for one that is not a duration.
    Option.exists(Duration.fromInput(value as Duration.Input), isValid)

/** A time to wait. */
export const Wait = value(
  durationWhere((duration) => Duration.isPositive(duration) && Duration.isFinite(duration)),
  'a duration above nothing, such as "30 seconds"'
)

/** A time after which to give up; `"Infinity"` for never. */
export const Timeout = value(
  durationWhere(Duration.isPositive),
  'a duration above nothing, such as "30 seconds", or "Infinity"'
)

// `Redacted.value` throws for a secret that was wiped.
const reveal = Option.liftThrowable((secret: Redacted.Redacted<unknown>): unknown => Redacted.value(secret))

const isSecret = (value: unknown): value is Redacted.Redacted =>
  Redacted.isRedacted(value) && Option.exists(reveal(value), Predicate.isString)

/** A secret whose text passes a test. */
export const Secret = (what: string, isValid: (secret: string) => boolean, whatIsValid: string) =>
  value(isSecret, `${what}, wrapped by Redacted.make`).check(
    Schema.makeFilter((secret) => isValid(Redacted.value(secret)) || `Expected ${what}${whatIsValid}`)
  )

/**
 * Validates options, and reports every option that is wrong: not every caller has a compiler. `whole` names them where
 * they are no object.
 */
export const validator = <Options>(
  schema: Schema.ConstraintDecoder<unknown> & { readonly fields: Schema.Struct.Fields },
  whole: string
) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  // An option that is missing gets the message of one that is undefined, which says what is expected.
  const withEveryField = (options: unknown) =>
    Predicate.isObject(options) ? Record.map(schema.fields, (_, name) => options[name]) : options
  const invalid = (error: Schema.SchemaError) =>
    invalidRequest(
      fieldIssues(error).map(({ message, path }) => ({ message, path: path === "" ? whole : path })),
      { attempts: 0 }
    )
  return (options: Options): Effect.Effect<Options, InvalidRequest> =>
    Effect.as(Effect.mapError(decode(withEveryField(options)), invalid), options)
}
