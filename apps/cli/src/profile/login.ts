import { escapeTerminal, escapeTerminalLine } from "@headgate/command-line"
import { Dashboards, type Forbidden, OrganizationId, Organizations, Services, type Unauthorized } from "@headgate/core"
import { HttpDashboards, HttpOrganizations, HttpServices } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Prompt from "effect/cli/Prompt"
import { CredentialsRefused, UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { management, observability } from "../settings/connection.ts"
import { holdBack } from "../request/dryRun.ts"
import { type Profile, ProfileName } from "../settings/Profile.ts"
import { Profiles } from "../settings/Profiles.ts"
import * as Setting from "../settings/Setting.ts"
import { dialectName, dialectOf, given, profile } from "../settings/settings.ts"
import { onMachine } from "../settings/withPorts.ts"
import { ask, isInteractive } from "../usage/prompt.ts"
import { loginSettings, type LoginSettings } from "./loginSettings.ts"
import { noteOverride } from "./noteOverride.ts"

// A login may have two credentials: the error says which was refused.
const refusal = (credentials: string, baseUrl: string) => (error: Unauthorized | Forbidden) => {
  const { message, requestId, status } = error
  return new CredentialsRefused({
    message: `Nothing was saved: ${baseUrl} refused ${credentials}: ${message}`,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId })
  })
}

interface Named {
  readonly id: string
  readonly name: string
}

const lines = (items: ReadonlyArray<Named>): string =>
  items.map(({ id, name }) => `  ${escapeTerminalLine(id)}  ${escapeTerminalLine(name)}`).join("\n")

/** The id of the setting, which must be one of `items`; without it the only one there is, or the one that is chosen. */
const choose = Effect.fnUntraced(function* <Id extends string>(
  setting: Setting.NamedSetting<Id, string>,
  items: ReadonlyArray<Named>
) {
  const value = yield* setting.read
  if (Option.isSome(value)) {
    const { source, value: id } = value.value
    if (items.some((item) => item.id === id)) return Option.some(id)
    const there = items.length === 0 ? "there is none" : `there are\n${lines(items)}`
    return yield* new UsageError({ message: `${source} "${id}" is no ${setting.name} of this key: ${there}` })
  }
  if (items.length <= 1) return Option.fromUndefinedOr(items[0]?.id)
  if (yield* isInteractive) {
    const choices = items.map(({ id, name }) => ({ title: `${escapeTerminal(name)} (${id})`, value: id }))
    return Option.some(yield* ask(Prompt.Select({ message: `Which ${setting.name}`, choices })))
  }
  return yield* new UsageError({
    message: `The key has several ${setting.name}s. Choose one with --${setting.name} <id>:\n${lines(items)}`
  })
})

// A key without a role may not list services: it can still be saved.
const listServices = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const services = yield* Services
  return yield* services.list({ organizationId }).pipe(
    Effect.asSome,
    Effect.catchTag("Forbidden", () => Effect.succeedNone)
  )
})

/** Checks the key, and finds the organization and the service that commands then use. */
const checkKey = Effect.fnUntraced(function* (refused: ReturnType<typeof refusal>) {
  const organizations = yield* Organizations
  const listed = yield* Effect.mapError(organizations.list(), (error) =>
    error._tag === "Unauthorized" || error._tag === "Forbidden" ? refused(error) : error
  )
  const organization = yield* choose(given.organization, listed)
  if (Option.isNone(organization)) return { organization, service: yield* Setting.valueOf(given.service) }
  const organizationId = yield* Effect.orDie(Schema.decodeEffect(OrganizationId)(organization.value))
  const services = yield* listServices(organizationId)
  if (Option.isSome(services)) return { organization, service: yield* choose(given.service, services.value) }
  yield* Output.note("note: the key may not list services, so --service was not checked.")
  return { organization, service: yield* Setting.valueOf(given.service) }
})

/** Checks the token. */
const checkToken = Effect.fnUntraced(function* (refused: ReturnType<typeof refusal>) {
  const dashboards = yield* Dashboards
  yield* Effect.mapError(dashboards.list(), (error) =>
    error._tag === "Unauthorized" || error._tag === "Forbidden" ? refused(error) : error
  )
})

const check = Effect.fnUntraced(function* ({ key, observabilityUrl, token, url }: LoginSettings) {
  if (Option.isSome(token)) {
    const baseUrl = Option.getOrThrow(Option.orElse(observabilityUrl, () => url))
    const connection = observability(Effect.succeed({ baseUrl, token: token.value }))
    const api = Layer.provide(HttpDashboards.layer, connection)
    yield* Effect.provide(checkToken(refusal("the token", baseUrl.value)), api)
  }
  if (Option.isNone(key)) {
    return { organization: yield* Setting.valueOf(given.organization), service: yield* Setting.valueOf(given.service) }
  }
  const baseUrl = Option.getOrThrow(url)
  const { id: keyId, secret: keySecret } = key.value
  const connection = management(
    Effect.map(dialectOf(given.dialect), (dialect) => ({ baseUrl, keyId, keySecret, dialect }))
  )
  const api = Layer.merge(HttpOrganizations.layer, HttpServices.layer).pipe(Layer.provide(connection))
  return yield* Effect.provide(checkKey(refusal(`the key ${keyId.value}`, baseUrl.value)), api)
})

// The name of a profile that is given no name: the host of its URL.
const hostOf = ({ observabilityUrl, url }: LoginSettings): string => {
  const { value } = Option.getOrThrow(Option.orElse(url, () => observabilityUrl))
  return new URL(value).host
}

const storeFlag = Flag.Literals("store", ["file", "keychain"]).pipe(
  Flag.withDescription("Keep secrets in the file of the profile (default) or in the keychain of the system"),
  Flag.withDefault("file" as const)
)

/** `headgate login` */
export const command = Command.make(
  "login",
  { store: storeFlag },
  Effect.fnUntraced(function* ({ store }) {
    const profiles = yield* Profiles
    // First what needs no secret: without a place for the profile nothing is asked and nothing is sent.
    const file = yield* profiles.userFile
    const givenName = yield* profile.read
    if (Option.isSome(givenName)) yield* Setting.decode(ProfileName, givenName.value)
    const dialect = yield* dialectName(given.dialect)
    const settings = yield* loginSettings
    const { organization, service } = yield* check(settings)
    const { key, observabilityUrl, token, url } = settings
    const name = Option.match(givenName, { onNone: () => hostOf(settings), onSome: ({ value }) => value })
    const saved: Profile = {
      url: Option.getOrUndefined(url)?.value,
      observabilityUrl: Option.getOrUndefined(observabilityUrl)?.value,
      organization: Option.getOrUndefined(organization),
      service: Option.getOrUndefined(service),
      dialect: Option.getOrUndefined(dialect),
      keyId: Option.getOrUndefined(key)?.id.value,
      keySecret: Option.getOrUndefined(key)?.secret,
      token: Option.getOrUndefined(token)
    }
    yield* holdBack(`save the profile "${name}" in ${file}`)
    yield* profiles.save(name, saved, { inKeychain: store === "keychain", isCurrent: true })
    const { keySecret: _, token: __, ...shown } = saved
    const where = store === "file" ? file : `${file}, its secrets in the keychain`
    yield* Output.done(`Logged in. The profile "${name}" is in ${where}`, { name, ...shown, store, file })
    yield* noteOverride(name)
  })
).pipe(
  Command.withExamples([
    { command: "headgate login", description: "At a terminal: asks for what is missing" },
    {
      command: "headgate login --url https://api.example.com --key-id cFIJgZJ09nTv6BWNL7IA --key-secret - < secret",
      description: "In a script: the secret is a line of stdin"
    },
    {
      command: "headgate login --profile staging --url https://staging.example.com --store keychain",
      description: "A second profile, its secrets in the keychain"
    }
  ]),
  onMachine
)
