import * as NodeServices from "@effect/platform-node/NodeServices"
import { styleOf } from "@headgate/command-line"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import { TestConsole } from "effect/testing"
import * as Composition from "../../src/Composition.ts"
import { keyCommands } from "../../src/commands/keyCommand.ts"
import { flags } from "../../src/commands/serveFlags.ts"
import { tokenCommands } from "../../src/commands/tokenCommand.ts"
import * as Usage from "../../src/commands/usage.ts"
import { openExistingStore } from "../../src/store/openStore.ts"

const key = Command.make("key").pipe(
  Command.withSubcommands([
    Command.provide(keyCommands.create, openExistingStore),
    Command.provide(keyCommands.list, openExistingStore),
    Command.provide(keyCommands.disable, openExistingStore)
  ])
)
const token = Command.make("token").pipe(
  Command.withSubcommands([Command.provide(tokenCommands.revoke, openExistingStore)])
)
const command = Command.make("headgate-server", flags, (options) => Layer.launch(Composition.layer(options))).pipe(
  Command.withSubcommands([key, token])
)

/**
 * What comes of a command line that is refused, in this process: what is said, and with which code the program would end.
 * For the many ways in which one can be wrong; that a real process does the same is a test of its own.
 */
export const refusedIn = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
) {
  const exit = yield* Command.runWith(command, { version: "0" })(args).pipe(
    Effect.tapError(Usage.report),
    Effect.provide([
      NodeServices.layer,
      Usage.layer(styleOf(process.stdout)),
      ConfigProvider.layer(ConfigProvider.fromEnv({ env: environment }))
    ]),
    Effect.exit
  )
  const said = (yield* TestConsole.errorLines).map((line) => `${String(line)}\n`).join("")
  return { code: Usage.exitCode(exit), said, printed: (yield* TestConsole.logLines).join("\n") }
})

/** The same, in an environment that says nothing. */
export const refused = (...args: ReadonlyArray<string>) => refusedIn({}, ...args)
