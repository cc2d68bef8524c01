import { type DialectName, dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { validate } from "../usage/validate.ts"
import * as Setting from "./Setting.ts"
import { ShortDuration } from "./ShortDuration.ts"

const text = <const Name extends string>(name: Name, variable: string, metavar: string, description: string) =>
  Setting.make({
    name,
    variable,
    metavar,
    flag: Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional),
    fromText: identity<string>
  })

const secret = <const Name extends string>(name: Name, variable: string, description: string) =>
  Setting.make({
    name,
    variable,
    metavar: "secret",
    flag: Flag.Redacted(name).pipe(Flag.withMetavar("secret"), Flag.withDescription(description), Flag.optional),
    fromText: (value) => Redacted.make(value)
  })

export const url = text("url", "HEADGATE_URL", "url", "Base URL of the management API")

export const observabilityUrl = text(
  "observability-url",
  "HEADGATE_OBSERVABILITY_URL",
  "url",
  "Base URL of the observability API, --url by default"
)

export const organization = text("organization", "HEADGATE_ORGANIZATION", "id", "Id of the organization")

export const service = text("service", "HEADGATE_SERVICE", "id", "Id of the service that has the pipes")

export const keyId = text("key-id", "HEADGATE_KEY_ID", "id", "Key ID of the API key that authenticates")

export const keySecret = secret("key-secret", "HEADGATE_KEY_SECRET", "Secret of that key; - reads a line of stdin")

export const token = secret("token", "HEADGATE_TOKEN", "Bearer token for dashboards; - reads a line of stdin")

export const dialect = Setting.make({
  name: "dialect",
  variable: "HEADGATE_DIALECT",
  metavar: "name",
  flag: Flag.Literals("dialect", dialectNames).pipe(
    Flag.withMetavar("name"),
    Flag.withDescription(`Naming of paths and settings, ${dialectNames[0]} by default`),
    Flag.optional
  ),
  fromText: identity<string>
})

/** The URL of the observability API: its own setting, else that of the management API. */
export const dashboardsUrl = Setting.orElse(observabilityUrl, url)

/** Every setting that has an environment variable, in the order of the help text. */
export const settings = [url, observabilityUrl, organization, service, keyId, keySecret, token, dialect] as const

const DialectName = Schema.Literals(dialectNames)

/** The dialect of the `dialect` setting. */
export const currentDialect = Effect.gen(function* () {
  const given = yield* dialect.read
  const name: DialectName = Option.isNone(given) ? "neutral" : yield* Setting.decode(DialectName, given.value)
  return dialects[name]
})

/** `--timeout`: the deadline of a command, with all retries. */
export const timeout = GlobalFlag.Setting("timeout")({
  flag: Flag.String("timeout").pipe(
    Flag.withMetavar("duration"),
    Flag.withDescription("Time limit of the command with all retries, such as 30s or 5m"),
    Flag.mapEffect(validate({ kind: "flag", name: "timeout" }, ShortDuration)),
    Flag.optional
  )
})

/** `--max-retries`: how often a failed request is repeated. */
export const maxRetries = GlobalFlag.Setting("max-retries")({
  flag: Flag.Int("max-retries").pipe(
    Flag.withMetavar("count"),
    Flag.withDescription("How often a request is repeated after a temporary failure, 2 by default"),
    Flag.filter(
      (count) => count >= 0,
      () => "0 or more"
    ),
    Flag.optional
  )
})

/** `--allow-insecure-http`: send credentials over plain http beyond loopback. */
export const allowInsecureHttp = GlobalFlag.Setting("allow-insecure-http")({
  flag: Flag.Boolean("allow-insecure-http").pipe(
    Flag.withDescription("Send credentials over plain http to other hosts than localhost too"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})
