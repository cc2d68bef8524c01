import { ApiKeyCreate, ApiKeyState, IpAccessListEntryCreate, SystemRole, Timestamp } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as CliError from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { invalidValue, validate } from "../usage/validate.ts"

const expires = { kind: "flag", name: "expires" } as const
const expectedExpiry = "Expected a duration such as 12h or 90d, a date such as 2027-01-31, or an RFC 3339 timestamp"
const duration = Schema.decodeUnknownOption(ShortDuration)
const timestamp = Schema.decodeUnknownOption(Timestamp)

/**
 * The value of `--expires`: a duration from now (`90d`), a date (`2027-01-31`, at 00:00 UTC) or an RFC 3339 timestamp. It
 * must be in the future.
 */
export const expiry = Effect.fnUntraced(function* (
  text: string
): Effect.fn.Return<DateTime.Utc, CliError.InvalidValue> {
  const now = yield* DateTime.now
  const instant = Option.map(duration(text), (span) => DateTime.addDuration(now, span)).pipe(
    Option.orElse(() => timestamp(text)),
    Option.orElse(() => timestamp(`${text}T00:00:00Z`)),
    // A year of RFC 3339 has four digits.
    Option.filter((instant) => DateTime.getPartUtc(instant, "year") <= 9999)
  )
  if (Option.isNone(instant)) return yield* invalidValue(expires, text, expectedExpiry)
  if (DateTime.isLessThanOrEqualTo(instant.value, now)) {
    return yield* invalidValue(
      expires,
      text,
      `Expected a time in the future: that was ${DateTime.formatIso(instant.value)}`
    )
  }
  return instant.value
})

const allow = { kind: "flag", name: "allow" } as const
const validateSource = validate(allow, IpAccessListEntryCreate.schema.fields.source)

// The value of `--allow`: `203.0.113.0/24` or `203.0.113.0/24=office`.
const ipAccessListEntry = (text: string) => {
  const [source = "", ...rest] = text.split("=")
  const description = rest.join("=").trim()
  return validateSource(source.trim()).pipe(
    Effect.mapError(({ expected }) => invalidValue(allow, text, expected)),
    Effect.map((address): IpAccessListEntryCreate =>
      description === "" ? { source: address } : { source: address, description }
    )
  )
}

/** `--name` */
export const nameFlag = Flag.String("name").pipe(
  Flag.withMetavar("name"),
  Flag.withDescription("Name of the key"),
  Flag.mapEffect(validate({ kind: "flag", name: "name" }, ApiKeyCreate.schema.fields.name))
)

/** `--role` */
export const roleFlag = Flag.Literals("role", SystemRole.literals).pipe(
  Flag.withMetavar("role"),
  Flag.withDescription("Role of the key; repeat for more roles")
)

/** `--expires`, whose description begins with the values that it takes. */
export const expiresFlag = (absent: string) =>
  Flag.String("expires").pipe(
    Flag.withMetavar("when"),
    Flag.withDescription(`12h, 90d, a date (00:00 UTC) or an RFC 3339 timestamp; ${absent}`),
    Flag.mapEffect(expiry),
    Flag.optional
  )

/** `--state` */
export const stateFlag = (description: string) =>
  Flag.Literals("state", ApiKeyState.literals).pipe(
    Flag.withMetavar("state"),
    Flag.withDescription(description),
    Flag.optional
  )

/** `--allow`, empty if it is not given. */
export const allowFlag = (absent: string) =>
  Flag.String("allow").pipe(
    Flag.withMetavar("cidr[=description]"),
    Flag.withDescription(`Address or CIDR block that may use the key, ${absent}; repeat for more`),
    Flag.mapEffect(ipAccessListEntry),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<IpAccessListEntryCreate>>([])
  )
