import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Output from "../output/Output.ts"
import { Profiles } from "../settings/Profiles.ts"
import { givenConnection, profile } from "../settings/settings.ts"

const fromEnvironment = (source: string | undefined): boolean => source?.startsWith("HEADGATE_") === true

/** Notes what commands in this directory and environment use instead of the user's profile of that name. */
export const noteOverride = Effect.fnUntraced(function* (name: string) {
  const profiles = yield* Profiles
  const by = yield* givenConnection
  if (fromEnvironment(by)) return yield* Output.note(`note: ${by} is set: until it is unset, commands use no profile.`)
  const given = yield* profile.read
  if (Option.exists(given, ({ source, value }) => fromEnvironment(source) && value !== name)) {
    return yield* Output.note(
      "note: HEADGATE_PROFILE is set: until it is unset, commands use the profile that it names."
    )
  }
  if (Option.isSome(given) && fromEnvironment(given.value.source)) return
  const project = yield* Effect.orElseSucceed(profiles.project, () => Option.none())
  if (Option.isSome(project)) {
    yield* Output.note(
      `note: commands in this directory use the profile in ${project.value.file}, unless they have --profile ${name}.`
    )
  }
})
