import { type DialectName, dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { UsageError } from "../error/CommandError.ts"
import { validate } from "../usage/validate.ts"
import type { Profile, SecretName, StoredProfile } from "./Profile.ts"
import { Profiles } from "./Profiles.ts"
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

/** The settings as flags and environment variables set them, without a profile. */
export const given = {
  url: text("url", "HEADGATE_URL", "url", "Base URL of the management API"),
  observabilityUrl: text(
    "observability-url",
    "HEADGATE_OBSERVABILITY_URL",
    "url",
    "Base URL of the observability API, --url by default"
  ),
  organization: text(
    "organization",
    "HEADGATE_ORGANIZATION",
    "name",
    "Id or name of the organization; needed if the key has several"
  ),
  service: text(
    "service",
    "HEADGATE_SERVICE",
    "name",
    "Id or name of the service with the pipes; needed if there are several"
  ),
  keyId: text("key-id", "HEADGATE_KEY_ID", "id", "Key ID of the API key that authenticates"),
  keySecret: secret("key-secret", "HEADGATE_KEY_SECRET", "Secret of that key; - reads a line of stdin"),
  token: secret("token", "HEADGATE_TOKEN", "Bearer token for dashboards; - reads a line of stdin"),
  dialect: Setting.make({
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
}

/** `--profile`: the name of the profile that sets what no flag and no variable sets. */
export const profile = text("profile", "HEADGATE_PROFILE", "name", "Profile to use, that of the last login by default")

const firstGiven = <A, R>(settings: ReadonlyArray<Setting.Setting<A, R>>) =>
  Effect.map(
    Effect.forEach(settings, ({ read }) => read),
    (values) => values.find(Option.isSome)?.value.source
  )

/**
 * The flag or variable that sets a part of the connection; `undefined` if none does. URLs, key and token come all from
 * flags and variables or all from one profile: a key must not reach the URL of another service.
 */
export const givenConnection = firstGiven<unknown, GlobalFlag.Setting.Identifier<ConnectionName>>([
  given.url,
  given.observabilityUrl,
  given.keyId,
  given.keySecret,
  given.token
])

type ConnectionName = "url" | "observability-url" | "key-id" | "key-secret" | "token"

const selected = Effect.gen(function* () {
  const profiles = yield* Profiles
  return yield* profiles.select(yield* profile.read)
})

const quoted = ({ file, name }: StoredProfile): string => `profile "${name}" in ${file}`

/** The profile in use: none if a flag or a variable sets a part of the connection. */
export const currentProfile = Effect.gen(function* () {
  const by = yield* givenConnection
  if (by === undefined) return yield* selected
  const name = yield* profile.read
  if (Option.exists(name, ({ source }) => source === "--profile")) {
    return yield* new UsageError({
      message: `--profile cannot be used, because ${by} is set: a profile has its own URLs, key and token. Leave one of the two out.`
    })
  }
  return Option.none<StoredProfile>()
})

/** Why the profile there is was not used; empty if there is none or it is used. */
export const unusedProfile = Effect.gen(function* () {
  const by = yield* givenConnection
  if (by === undefined) return ""
  return Option.match(yield* selected, {
    onNone: () => "",
    onSome: (stored) =>
      `The ${quoted(stored)} was not used, because ${by} is set: URLs, key and token come all from flags and variables, or all from one profile.`
  })
}).pipe(Effect.catch(() => Effect.succeed("")))

const whyMissing = Effect.gen(function* () {
  if ((yield* givenConnection) !== undefined) return yield* unusedProfile
  return Option.match(yield* selected, {
    onNone: () => "'headgate login' keeps them in a profile.",
    onSome: (stored) =>
      `The ${quoted(stored)} does not have this. To add it, run 'headgate login --profile ${stored.name}'.`
  })
}).pipe(Effect.catch(() => Effect.succeed("")))

const orProfile = <Id extends string, A, E, R>(
  setting: Setting.NamedSetting<Id, A>,
  pick: (stored: StoredProfile) => Effect.Effect<Option.Option<A>, E, R>
) => ({
  ...setting,
  whyMissing,
  read: Effect.flatMap(setting.read, (value) =>
    Option.isSome(value)
      ? Effect.succeed(value)
      : Effect.gen(function* () {
          const stored = yield* currentProfile
          if (Option.isNone(stored)) return Option.none()
          const source = quoted(stored.value)
          return Option.map(yield* pick(stored.value), (value): Setting.SettingValue<A> => ({ value, source }))
        })
  )
})

const textOf = <Id extends string>(
  setting: Setting.NamedSetting<Id, string>,
  name: Exclude<keyof Profile, SecretName | "keychain">
) => orProfile(setting, (stored) => Effect.succeed(Option.fromUndefinedOr(stored.profile[name])))

const secretOf = <Id extends string>(setting: Setting.NamedSetting<Id, Redacted.Redacted>, name: SecretName) =>
  orProfile(setting, (stored) => Profiles.use((profiles) => profiles.secret(stored, name)))

export const url = textOf(given.url, "url")
export const observabilityUrl = textOf(given.observabilityUrl, "observabilityUrl")
export const organization = textOf(given.organization, "organization")
export const service = textOf(given.service, "service")
export const keyId = textOf(given.keyId, "keyId")
export const keySecret = secretOf(given.keySecret, "keySecret")
export const token = secretOf(given.token, "token")
export const dialect = textOf(given.dialect, "dialect")

/** The settings of the management API, which every call needs. */
export const apiSettings = [url, keyId, keySecret]

/** Whether a token is given, and no part of a key: it reaches dashboards alone. */
export const isTokenAlone = Effect.gen(function* () {
  const isKeyGiven = Option.isSome(yield* keyId.read) || Option.isSome(yield* keySecret.read)
  return !isKeyGiven && Option.isSome(yield* token.read)
})

/** The URL of the observability API: its own setting, else that of the management API. */
export const dashboardsUrl = Setting.orElse(observabilityUrl, url)

/** Every setting that has an environment variable, in the order of the help text. */
export const settings = [
  url,
  observabilityUrl,
  organization,
  service,
  keyId,
  keySecret,
  token,
  dialect,
  profile
] as const

const DialectName = Schema.Literals(dialectNames)

/** The name of a dialect that a setting has; none if it is not set. */
export const dialectName = <R>(setting: Setting.Setting<string, R>) =>
  Effect.flatMap(
    setting.read,
    Option.match({
      onNone: () => Effect.succeedNone,
      onSome: (value) => Effect.asSome(Setting.decode(DialectName, value))
    })
  )

/** The dialect that a setting names; `neutral` if it is not set. */
export const dialectOf = <R>(setting: Setting.Setting<string, R>) =>
  Effect.map(dialectName(setting), (name) => dialects[Option.getOrElse(name, (): DialectName => "neutral")])

/** The dialect of the command: `--dialect`, the environment variable or the profile. */
export const currentDialect = dialectOf(dialect)

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

/** `--verbose`. It is read from the raw arguments, because logs may begin before they are parsed. */
export const verbose = GlobalFlag.Setting("verbose")({
  flag: Flag.Boolean("verbose").pipe(
    Flag.withDescription(
      "Log each request with its status, its retries and its request id; short for --log-level debug"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
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
