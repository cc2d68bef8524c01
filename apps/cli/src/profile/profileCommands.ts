import { escapeTerminalLine } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { type Layout, tableText } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { holdBack } from "../request/dryRun.ts"
import type { StoredProfile } from "../settings/Profile.ts"
import { Profiles } from "../settings/Profiles.ts"
import { profile } from "../settings/settings.ts"
import { noteOverride } from "./noteOverride.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { onMachine } from "../settings/withPorts.ts"

const nameArgument = Argument.String("name").pipe(Argument.withDescription("Name of the profile"))

interface Row extends StoredProfile {
  readonly isCurrent: boolean
}

const profileTable = (rows: ReadonlyArray<Row>, layout: Layout): string => {
  const cells = rows.map(({ file, isCurrent, name, profile }) =>
    [`${isCurrent ? "*" : " "} ${name}`, profile.url ?? profile.observabilityUrl ?? "", file].map(escapeTerminalLine)
  )
  return cells.length === 0 ? "" : tableText([["  NAME", "URL", "FILE"], ...cells], layout)
}

const json = ({ file, isCurrent, name, profile }: Row) => {
  const { keyId, keychain, organization, service, url, observabilityUrl, dialect } = profile
  const store = keychain === undefined ? "file" : "keychain"
  return { name, isCurrent, url, observabilityUrl, organization, service, dialect, keyId, store, file }
}

/** `headgate profile list` */
const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const profiles = yield* Profiles
    const document = yield* profiles.user
    const names = Object.entries(document.profiles)
    const file = names.length === 0 ? "" : yield* profiles.userFile
    const project = yield* Effect.result(profiles.project)
    const select = profiles.select(yield* profile.read)
    // A project's profile that is refused stops every other command that would use it: none is in use.
    const selected = yield* Result.isSuccess(project) ? select : Effect.orElseSucceed(select, Option.none)
    const stored: ReadonlyArray<StoredProfile> = [
      ...(Result.isSuccess(project) ? Option.toArray(project.success) : []),
      ...names.map(([name, one]) => ({ name, file, profile: one }))
    ]
    const rows = stored.map((one) => ({
      ...one,
      isCurrent: Option.exists(selected, ({ file, name }) => file === one.file && name === one.name)
    }))
    yield* Output.print({
      text: (layout) => profileTable(rows, layout),
      json: Effect.succeed(rows.map(json))
    })
    if (Result.isFailure(project)) yield* Output.note(`note: ${project.failure.message}`)
    else if (rows.length === 0) yield* Output.note("No profiles yet: 'headgate login' makes one.")
  })
).pipe(
  Command.withDescription("List the profiles; * marks the one in use"),
  Command.withExamples([{ command: "headgate profile list" }])
)

/** `headgate profile use <name>` */
const use = Command.make(
  "use",
  { name: nameArgument },
  Effect.fnUntraced(function* ({ name }) {
    const profiles = yield* Profiles
    yield* holdBack(`use the profile "${name}"`)
    yield* profiles.use(name)
    yield* Output.done(`The profile "${name}" is used from now on`, { current: name })
    yield* noteOverride(name)
  })
).pipe(
  Command.withDescription("Use a profile in the commands that follow"),
  Command.withExamples([{ command: "headgate profile use staging" }])
)

/** `headgate profile delete <name>` */
const remove = Command.make(
  "delete",
  { name: nameArgument, yes: yesFlag },
  Effect.fnUntraced(function* ({ name, yes }) {
    if (!yes) yield* confirm(`Delete the profile "${name}" with its credentials?`)
    yield* holdBack(`delete the profile "${name}"`)
    const profiles = yield* Profiles
    yield* profiles.remove(name)
    yield* Output.done(`The profile "${name}" was deleted`, { name, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a profile with its credentials; the service keeps the key"),
  Command.withExamples([{ command: "headgate profile delete staging" }])
)

/** `headgate profile` */
export const command = Command.make("profile").pipe(
  Command.withSubcommands([onMachine(list), onMachine(use), onMachine(remove)])
)

/** `headgate complete-values profile` */
export const values = onMachine(
  valuesCommand(
    "profile",
    Effect.gen(function* () {
      const { profiles } = yield* (yield* Profiles).user
      return Object.entries(profiles).map(([id, { observabilityUrl, url }]) => ({
        id,
        description: url ?? observabilityUrl
      }))
    })
  )
)
