import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Prompt from "effect/cli/Prompt"
import { UsageError } from "../error/CommandError.ts"
import * as Setting from "../settings/Setting.ts"
import { given } from "../settings/settings.ts"
import { isFromStdin, readSecret } from "../settings/stdin.ts"
import { ask, isInteractive } from "../usage/prompt.ts"

/** What `login` checks and saves. With a key there is a secret, and there is a key or a token. */
export interface LoginSettings {
  readonly url: Option.Option<Setting.SettingValue<string>>
  readonly observabilityUrl: Option.Option<Setting.SettingValue<string>>
  readonly key: Option.Option<{ readonly id: Setting.SettingValue<string>; readonly secret: Redacted.Redacted }>
  readonly token: Option.Option<Redacted.Redacted>
}

const credentials: Setting.Setting<never> = {
  label:
    "--key-id <id> and --key-secret <secret> (HEADGATE_KEY_ID, HEADGATE_KEY_SECRET), --token <secret> (HEADGATE_TOKEN), or all three",
  read: Effect.succeedNone,
  whyMissing: Effect.succeed(
    "A secret of `-` is read from a line of stdin. At a terminal, login asks for what is missing."
  )
}

const dashboardsUrl = Setting.orElse(given.observabilityUrl, given.url)

const hasText = (text: string) => (text.trim() === "" ? Effect.fail("Expected a value") : Effect.succeed(text.trim()))

const askUrl = ask(
  Prompt.String({
    message: "URL of the service",
    validate: (text) =>
      URL.canParse(text.trim())
        ? Effect.succeed(text.trim())
        : Effect.fail("Expected a URL such as https://api.example.com")
  })
)

// An answer as a setting, so that an error names its source.
const answered = (question: string) => (value: string) => ({ value, source: `The answer to "${question}"` })

const keyIdOrNone = "Key ID (empty for none)"
const tokenOrNone = "Token for dashboards (empty for none)"

const askKeyId = (isRequired: boolean) =>
  isRequired
    ? Effect.asSome(Effect.map(ask(Prompt.String({ message: "Key ID", validate: hasText })), answered("Key ID")))
    : Effect.map(ask(Prompt.String({ message: keyIdOrNone })), (text) =>
        text.trim() === "" ? Option.none() : Option.some(answered(keyIdOrNone)(text.trim()))
      )

const askToken = Effect.map(ask(Prompt.Hidden({ message: tokenOrNone })), (secret) =>
  Redacted.value(secret) === "" ? Option.none() : Option.some(secret)
)

type Secret = Option.Option<Setting.SettingValue<Redacted.Redacted>>

const bothReadStdin = new UsageError({
  message: "--key-secret - and --token - both read stdin: set one of them in HEADGATE_KEY_SECRET or HEADGATE_TOKEN."
})

const urlAsked = Effect.asSome(Effect.map(askUrl, answered("URL of the service")))

const secretOf = (givenSecret: Secret, isNeeded: boolean) => {
  if (Option.isSome(givenSecret)) return readSecret(given.keySecret)
  return isNeeded ? ask(Prompt.Hidden({ message: "Key secret", validate: hasText })) : Effect.succeed(Redacted.make(""))
}

const tokenOf = (givenToken: Secret, isAsked: boolean) => {
  if (Option.isSome(givenToken)) return Effect.asSome(readSecret(given.token))
  return isAsked ? askToken : Effect.succeedNone
}

/** Reads the settings of `login` from flags and variables, and asks at a terminal for what is missing. */
export const loginSettings = Effect.gen(function* () {
  const keyId = yield* given.keyId.read
  const givenSecret: Secret = yield* given.keySecret.read
  const givenToken: Secret = yield* given.token.read
  if (Option.exists(givenSecret, isFromStdin) && Option.exists(givenToken, isFromStdin)) return yield* bothReadStdin
  const isKeyGiven = [keyId, givenSecret].some((one) => Option.isSome<unknown>(one))
  const isNoneGiven = !isKeyGiven && Option.isNone(givenToken)
  const baseUrl = isKeyGiven || isNoneGiven ? given.url : dashboardsUrl
  const key = isKeyGiven ? [given.keyId, given.keySecret] : []
  if (!(yield* isInteractive)) yield* Setting.requireAll([baseUrl, ...key, ...(isNoneGiven ? [credentials] : [])])

  // Nothing below is asked without a terminal: it is all there.
  const url = Option.isSome(yield* baseUrl.read) ? yield* given.url.read : yield* urlAsked
  const id = Option.isSome(keyId) || (!isKeyGiven && !isNoneGiven) ? keyId : yield* askKeyId(isKeyGiven)
  const secret = yield* secretOf(givenSecret, Option.isSome(id))
  const token = yield* tokenOf(givenToken, isNoneGiven)
  if (Option.isNone(id) && Option.isNone(token)) yield* Setting.requireAll([credentials])
  const settings: LoginSettings = {
    url,
    observabilityUrl: yield* given.observabilityUrl.read,
    key: Option.map(id, (id) => ({ id, secret })),
    token
  }
  return settings
})
