import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { registerDecoder, registerEncoder } from "./FastDecoder.ts"
import { Stamp } from "./Stamp.ts"

/**
 * Keeps the text from which a timestamp was decoded. A `DateTime.Utc` holds only milliseconds: without the text,
 * `2026-01-02T03:04:05Z` would be encoded as `2026-01-02T03:04:05.000Z`, and microseconds would be lost.
 */
class SourceText extends Stamp<DateTime.Utc> {
  readonly #text: string
  private constructor(utc: DateTime.Utc, text: string) {
    super(utc)
    this.#text = text
  }
  static keep(utc: DateTime.Utc, text: string): DateTime.Utc {
    void new SourceText(utc, text)
    return utc
  }
  static of(utc: DateTime.Utc | SourceText): string | undefined {
    return #text in utc ? utc.#text : undefined
  }
}

// RFC 3339: a full date, "T", a full time and an offset. `Date.parse` accepts far more ("2026", "1 May", 24:00).
const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u

const expected = "Expected an RFC 3339 timestamp such as 2026-01-31T12:00:00Z"

// The days that every year has. Only leap days and invalid days need the calendar.
const everyYear =
  /-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))$/

/** Whether the day exists. `Date.parse` accepts 30 February and returns 2 March. */
const isOnCalendar = (date: string): boolean =>
  everyYear.test(date) ||
  Option.exists(DateTime.make(`${date}T00:00:00Z`), (day) => DateTime.formatIsoDateUtc(day) === date)

const Text = Schema.String.annotate({ message: expected, format: "date-time" }).check(
  Schema.isPattern(rfc3339, { message: expected })
)

// A year has four digits in RFC 3339.
const earliest = Date.parse("0000-01-01T00:00:00.000Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")

const isInRange = (millis: number): boolean => millis >= earliest && millis <= latest

const Instant = Schema.DateTimeUtc.check(
  Schema.makeFilter((utc: DateTime.Utc) => isInRange(DateTime.toEpochMillis(utc)) || "Expected a year from 0 to 9999")
)

/** The instant of a text in the right format; `undefined` if its day does not exist. */
const instantOf = (text: string): DateTime.Utc | undefined => {
  const millis = Date.parse(text)
  if (Number.isNaN(millis) || !isOnCalendar(text.slice(0, 10))) return undefined
  return SourceText.keep(DateTime.makeUnsafe(millis), text)
}

/** Writes an instant as {@link Timestamp} encodes it, without its check of the year: the text from which it was decoded. */
const formatTimestamp = (utc: DateTime.Utc): string => SourceText.of(utc) ?? DateTime.formatIso(utc)

/** Encodes as {@link Timestamp} does. `undefined` if the value is invalid. */
const writeTimestamp = (value: unknown): string | undefined =>
  DateTime.isDateTime(value) && DateTime.isUtc(value) && isInRange(DateTime.toEpochMillis(value))
    ? formatTimestamp(value)
    : undefined

/** Decodes as {@link Timestamp} does. `undefined` if the input is invalid. */
export const readTimestamp = (input: unknown): DateTime.Utc | undefined => {
  if (!Predicate.isString(input) || !rfc3339.test(input)) return undefined
  const utc = instantOf(input)
  return utc !== undefined && isInRange(DateTime.toEpochMillis(utc)) ? utc : undefined
}

/**
 * An instant, written as an RFC 3339 timestamp (`2026-01-31T12:00:00Z`; any offset is read, fractions of a second of
 * any length) and decoded to a `DateTime.Utc` of millisecond precision.
 *
 * Encoding a decoded value returns the text from which it was decoded. A computed value is written in UTC with
 * milliseconds. Contract: docs/wire-contract.md#fields-of-a-pipe and docs/wire-contract.md#fields-of-an-api-key; the
 * format is decided.
 *
 * @example
 * ```ts
 * import { Timestamp } from "@headgate/core"
 * import * as DateTime from "effect/DateTime"
 * import * as Schema from "effect/Schema"
 *
 * const utc = Schema.decodeUnknownSync(Timestamp)("2026-01-31T13:00:00.123456+01:00")
 * console.log(utc.epochMilliseconds) // 1769860800123
 * console.log(Schema.encodeSync(Timestamp)(utc)) // 2026-01-31T13:00:00.123456+01:00
 * console.log(Schema.encodeSync(Timestamp)(DateTime.add(utc, { days: 1 }))) // 2026-02-01T12:00:00.123Z
 * ```
 */
export const Timestamp = Text.pipe(
  Schema.decodeTo(
    Instant,
    SchemaTransformation.transformEffect<DateTime.Utc, string>({
      decode: (text, options) => {
        const utc = instantOf(text)
        return utc === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: expected }, text, options))
          : Effect.succeed(utc)
      },
      encode: (utc) => Effect.succeed(formatTimestamp(utc))
    })
  ),
  registerDecoder(readTimestamp),
  registerEncoder(writeTimestamp)
)
