import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * The text each decoded timestamp was read from. A `DateTime.Utc` keeps milliseconds and no spelling, so without it
 * `2026-01-02T03:04:05Z` would be written back as `2026-01-02T03:04:05.000Z` and microseconds would be lost.
 */
const spelling = new WeakMap<DateTime.Utc, string>()

// RFC 3339: a full date, "T", a full time and an offset. `Date` alone accepts far more ("2026", "1 May").
const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

const expected = "Expected an RFC 3339 timestamp such as 2026-01-31T12:00:00Z"

/**
 * An instant, written as an RFC 3339 timestamp (`2026-01-31T12:00:00Z`; any offset is read, fractions of a second of
 * any length) and decoded to a `DateTime.Utc` of millisecond precision.
 *
 * A decoded value that is encoded again gives the very text it was read from; a computed one is written in UTC with
 * milliseconds. Contract: sections 2.2 and 2.3, formats by decision.
 */
export const Timestamp = Schema.String.check(Schema.isPattern(rfc3339, { message: expected }))
  .annotate({ format: "date-time" })
  .pipe(
    Schema.decodeTo(
      Schema.DateTimeUtc,
      SchemaTransformation.transformEffect<DateTime.Utc, string>({
        decode: (text, options) => {
          const instant = DateTime.make(text)
          if (Option.isNone(instant)) {
            return Effect.fail(new SchemaIssue.InvalidValue({ message: expected }, text, options))
          }
          const utc = DateTime.toUtc(instant.value)
          spelling.set(utc, text)
          return Effect.succeed(utc)
        },
        encode: (utc) => Effect.succeed(spelling.get(utc) ?? DateTime.formatIso(utc))
      })
    )
  )
