import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Output from "../output/Output.ts"
import { detailText } from "../output/detailText.ts"
import type { Setting } from "../settings/Setting.ts"
import {
  currentProfile,
  dashboardsUrl,
  givenConnection,
  keyId,
  organization,
  service,
  url
} from "../settings/settings.ts"

const valueOf = <R>(setting: Setting<string, R>) =>
  Effect.map(setting.read, (found) => Option.getOrUndefined(found)?.value)

const found = Effect.gen(function* () {
  const by = yield* givenConnection
  const stored = Option.getOrUndefined(yield* currentProfile)
  if (by === undefined && stored === undefined) return undefined
  return {
    profile: stored?.name,
    from: stored?.file ?? `flags and variables, such as ${by}`,
    url: (yield* valueOf(url)) ?? (yield* valueOf(dashboardsUrl)),
    organization: yield* valueOf(organization),
    service: yield* valueOf(service),
    keyId: yield* valueOf(keyId)
  }
})

/** `headgate` without a command: which connection commands use, and what to do next. It does not call the service. */
export const overview = Effect.gen(function* () {
  const connection = yield* found
  yield* Output.print({
    text: (layout) => (connection === undefined ? "Not logged in." : detailText(connection, layout)),
    json: Effect.succeed(connection ?? {})
  })
  yield* Output.note(
    connection === undefined
      ? "Next: 'headgate login' saves the URL and the credentials of a service. 'headgate --help' lists all commands."
      : "Next: 'headgate pipe list' lists the pipes, 'headgate whoami' checks the key. 'headgate --help' lists all commands."
  )
})
