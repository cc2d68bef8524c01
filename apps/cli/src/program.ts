import { completions, escapeTerminalLine, nonInteractive } from "@headgate/command-line"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Path from "effect/Path"
import * as CliConfig from "effect/cli/CliConfig"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { commandOf } from "./Composition.ts"
import { completedValues } from "./completion/completedValues.ts"
import { scripts } from "./completion/scripts.ts"
import { globalFlags } from "./headgate.ts"
import * as Profiles from "./settings/Profiles.ts"
import { run, type RunOptions } from "./run.ts"

// One line without the time and the fiber: the reader is a user at a terminal.
const logger = Logger.withConsoleError(
  Logger.make(({ logLevel, message }) => {
    const level = logLevel === "Warn" ? "warning" : logLevel.toLowerCase()
    return Array.ensure(message)
      .map((text) => escapeTerminalLine(`${level}: ${text}`))
      .join("\n")
  })
)

const services = Layer.mergeAll(
  Path.layer,
  nonInteractive,
  Profiles.layer,
  // effect/cli requires it for path flags, of which there are none. A command that reads files provides its own.
  FileSystem.layerNoop({}),
  CliConfig.layer({
    builtIns: [
      GlobalFlag.Help,
      GlobalFlag.Version,
      completions({ globalFlags, scripts, values: completedValues }),
      GlobalFlag.LogLevel
    ]
  }),
  Logger.layer([logger])
)

/**
 * The program `headgate`. It uses its process only through `Stdio`, `Console` and `ConfigProvider`, so that a test can
 * run it without a process.
 */
export const program = (options: RunOptions) => Effect.provide(run(commandOf(options.args), options), services)
