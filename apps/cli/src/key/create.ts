import { HelpSections, roles } from "@headgate/command-line"
import {
  ApiKeyCreate,
  ApiKeys,
  ApiKeyState,
  CreatedApiKey,
  IpAccessListEntryCreate,
  makeCredentials,
  OrganizationId,
  SystemRole,
  Timestamp
} from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import * as Setting from "../settings/Setting.ts"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { organization } from "../settings/settings.ts"
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

// The credentials of a new key are the only secret that a command shows: the service does not return them again.
const createdKeyText = ({ key, keyId, keySecret }: CreatedApiKey): string => {
  const { id, name, roles, state, ...more } = key
  return detailText({
    ...masked({ name, id, roles, state, ...more }),
    keyId,
    keySecret: Predicate.isUndefined(keySecret) ? undefined : Redacted.value(keySecret)
  })
}

const flags = {
  name: Flag.String("name").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("Name of the key"),
    Flag.mapEffect(validate({ kind: "flag", name: "name" }, ApiKeyCreate.schema.fields.name))
  ),
  roles: Flag.Literals("role", SystemRole.literals).pipe(
    Flag.withMetavar("role"),
    Flag.withDescription("Role of the key; repeat for more roles"),
    Flag.atLeast(1)
  ),
  expireAt: Flag.String("expires").pipe(
    Flag.withMetavar("when"),
    Flag.withDescription("12h, 90d, a date (00:00 UTC) or an RFC 3339 timestamp; never by default"),
    Flag.mapEffect(expiry),
    Flag.optional
  ),
  state: Flag.Literals("state", ApiKeyState.literals).pipe(
    Flag.withMetavar("state"),
    Flag.withDescription("Initial state, enabled by default"),
    Flag.optional
  ),
  ipAccessList: Flag.String("allow").pipe(
    Flag.withMetavar("cidr[=description]"),
    Flag.withDescription("Address or CIDR block that may use the key, any by default; repeat for more"),
    Flag.mapEffect(ipAccessListEntry),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<IpAccessListEntryCreate>>([])
  ),
  localSecret: Flag.Boolean("local-secret").pipe(
    Flag.withDescription("Generate the credentials on this machine and send only their hashes"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
}

/** `headgate key create` */
export const create = Command.make(
  "create",
  flags,
  Effect.fnUntraced(function* (input) {
    const keys = yield* ApiKeys
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const issued = input.localSecret ? Option.some(yield* makeCredentials) : Option.none()
    const request: ApiKeyCreate = {
      name: input.name,
      roles: Array.from(new Set(input.roles)),
      ...Option.match(input.expireAt, { onNone: () => ({}), onSome: (expireAt) => ({ expireAt }) }),
      ...Option.match(input.state, { onNone: () => ({}), onSome: (state) => ({ state }) }),
      // An empty list would allow no address, an absent one allows any.
      ...(input.ipAccessList.length === 0 ? {} : { ipAccessList: input.ipAccessList }),
      ...Option.match(issued, { onNone: () => ({}), onSome: ({ hashData }) => ({ hashData }) })
    }
    const response = yield* keys.create(organizationId, request)
    const created: CreatedApiKey = Option.match(issued, {
      onNone: () => response,
      onSome: ({ keyId, keySecret }) => ({ ...response, keyId, keySecret })
    })
    yield* Output.print(
      {
        text: () => createdKeyText(created),
        json: Effect.orDie(Schema.encodeEffect(CreatedApiKey)(created))
      },
      `The secret of the new key ${created.key.id} is lost: delete or disable this key`
    )
    yield* Output.note("note: keyId and keySecret are not shown again: keep them now.")
  })
).pipe(
  Command.withDescription("Create an API key and show its credentials, which are not shown again"),
  Command.annotate(HelpSections, [roles]),
  Command.withExamples([
    {
      command: "headgate key create --name ci --role developer --expires 90d",
      description: "A key that expires in 90 days"
    },
    {
      command: "headgate key create --name ops --role admin --allow 203.0.113.0/24=office --allow 2001:db8::7",
      description: "A key for some addresses only"
    },
    {
      command: "headgate key create --name vault --role developer --local-secret --json > key.json",
      description: "A key whose secret is never sent"
    }
  ])
)
