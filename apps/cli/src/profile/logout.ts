import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { holdBack } from "../request/dryRun.ts"
import { Profiles } from "../settings/Profiles.ts"
import { profile } from "../settings/settings.ts"
import { onMachine } from "../settings/withPorts.ts"

/** `headgate logout [--profile name]` */
export const command = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function* () {
    const profiles = yield* Profiles
    const given = yield* profile.read
    const name = Option.isSome(given) ? given.value.value : (yield* profiles.user).current
    if (name === undefined) {
      return yield* new UsageError({
        message: `Not logged in: no profile in ${yield* profiles.userFile} is the current one. Name one with --profile; 'headgate profile list' lists them.`
      })
    }
    yield* holdBack(`delete the profile "${name}"`)
    yield* profiles.remove(name)
    yield* Output.done(`Logged out. The profile "${name}" was deleted; the service keeps its key`, {
      name,
      deleted: true
    })
  })
).pipe(
  Command.withExamples([{ command: "headgate logout" }, { command: "headgate logout --profile staging" }]),
  onMachine
)
