import { Timestamp } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constant, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { invalidValue } from "../usage/validate.ts"

const duration = Schema.decodeUnknownOption(ShortDuration)
const timestamp = Schema.decodeUnknownOption(Timestamp)

/** A time that may be told by how long ago it is. */
export type Moment = (now: DateTime.Utc) => DateTime.Utc

/** A time that long ago. */
export const ago =
  (span: Duration.Input): Moment =>
  (now) =>
    DateTime.subtractDuration(now, span)

const momentOf = (text: string): Option.Option<Moment> => {
  if (text === "now") return Option.some(identity)
  const fixed = Option.orElse(timestamp(text), () => timestamp(`${text}T00:00:00Z`))
  return Option.orElse(Option.map(duration(text.replace(/^-/, "")), ago), () => Option.map(fixed, constant))
}

/**
 * A flag with a time: `now`, a duration that has passed since (`24h` or `-24h`), a date (at 00:00 UTC) or an RFC 3339 timestamp.
 */
export const timeFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("when"),
    Flag.withDescription(description),
    Flag.mapEffect((text) =>
      Option.match(momentOf(text), {
        onNone: () =>
          Effect.fail(
            invalidValue(
              { kind: "flag", name },
              text,
              "Expected now, a time ago such as 90m, 24h or 7d, a date such as 2027-01-31, or an RFC 3339 timestamp"
            )
          ),
        onSome: Effect.succeed
      })
    ),
    Flag.optional
  )
