import { Pipes, type Settings, SettingsUpdate } from "@headgate/core"
import { renameSetting, settingsCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { detailText } from "../output/detailText.ts"
import { warnOfMisspellings } from "../settings/misspellings.ts"
import { currentDialect } from "../settings/settings.ts"
import { requestOfFlags } from "../usage/requestOfFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

const set = Flag.KeyValuePair("set").pipe(
  Flag.withDescription("Change a setting: a number, true or false; null for its default"),
  Flag.optional
)

const valueOf = (name: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new UsageError({ message: `--set ${name}: Expected a number, true, false or null.` })
  })

const print = Effect.fnUntraced(function* (settings: Settings, done?: string) {
  const encoded = yield* Effect.orDie(Schema.encodeEffect(settingsCodec(yield* currentDialect))(settings))
  yield* Output.print({ text: (layout) => detailText(encoded, layout), json: Effect.succeed(encoded) }, done)
})

/** `headgate pipe settings <pipe-id> [--set name=value]` */
export const settings = Command.make(
  "settings",
  { pipeId: pipeIdArgument, set },
  Effect.fnUntraced(function* (input) {
    const pipes = yield* Pipes
    const address = yield* pipeAddress(input.pipeId)
    const current = yield* pipes.settings(address)
    if (Option.isNone(input.set)) return yield* print(current)
    const dialect = yield* currentDialect
    const changes = yield* Effect.all(Record.map(input.set.value, (text, name) => valueOf(name, text)))
    const changed = { ...current, ...Record.mapKeys(changes, (name) => renameSetting(dialect, name)) }
    yield* warnOfMisspellings([settingsCodec(dialect)], changes, "--set ")
    const request = yield* requestOfFlags(SettingsUpdate, (path) => `--set ${renameSetting(dialect, path)}`)(changed)
    yield* print(yield* pipes.updateSettings(address, request), `The settings of pipe ${address.pipeId} were changed`)
  })
).pipe(
  Command.withDescription("Show the settings of a pipe, or change some of them"),
  Command.withExamples([
    { command: "headgate pipe settings 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" },
    {
      command: "headgate pipe settings 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --set streaming_max_insert_wait_ms=5000",
      description: "Change one setting"
    }
  ])
)
