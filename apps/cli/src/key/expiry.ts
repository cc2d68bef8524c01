import { Timestamp } from "@headgate/core"
import type * as CliError from "effect/cli/CliError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { invalid } from "../usage/checked.ts"

const place = { kind: "flag", name: "expires" } as const

const expected = "Expected a duration such as 12h or 90d, a date such as 2027-01-31, or an RFC 3339 timestamp"

const duration = Schema.decodeUnknownOption(ShortDuration)
const timestamp = Schema.decodeUnknownOption(Timestamp)

/**
 * The instant that `--expires` names: a span from now (`90d`), a date (`2027-01-31`, at 00:00 UTC) or an RFC 3339
 * timestamp, which must lie ahead.
 */
export const expiry = Effect.fnUntraced(function* (
  text: string
): Effect.fn.Return<DateTime.Utc, CliError.InvalidValue> {
  const now = yield* DateTime.now
  const instant = Option.map(duration(text), (span) => DateTime.addDuration(now, span)).pipe(
    Option.orElse(() => timestamp(text)),
    Option.orElse(() => timestamp(`${text}T00:00:00Z`)),
    // RFC 3339 has four digits for a year.
    Option.filter((instant) => DateTime.getPartUtc(instant, "year") <= 9999)
  )
  if (Option.isNone(instant)) return yield* invalid(place, text, expected)
  if (DateTime.isLessThanOrEqualTo(instant.value, now)) {
    return yield* invalid(place, text, `Expected a time to come: that was ${DateTime.formatIso(instant.value)}`)
  }
  return instant.value
})
