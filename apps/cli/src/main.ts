import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { completions, escapeTerminalLine, nonInteractive, styleOf } from "@headgate/command-line"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as CliConfig from "effect/cli/CliConfig"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { command } from "./Composition.ts"
import { exitCodes } from "./error/CommandError.ts"
import { globalFlags } from "./headgate.ts"
import { run } from "./run.ts"

// Defined by the build, from package.json.
declare const HEADGATE_VERSION: string

// The writer of stdin may keep it open: after it has been read it must not keep the process alive.
const stdio = Layer.effect(
  Stdio.Stdio,
  Effect.map(Stdio.Stdio, (node) => ({
    ...node,
    stdin: Stream.ensuring(
      node.stdin,
      Effect.sync(() => process.stdin.destroy())
    )
  }))
).pipe(Layer.provide(NodeStdio.layer))

// One line without the time and the fiber: the reader is a user at a terminal.
const logger = Logger.make(({ logLevel, message }) => {
  for (const text of Array.ensure(message)) {
    console.error(escapeTerminalLine(`${logLevel === "Warn" ? "warning" : logLevel.toLowerCase()}: ${text}`))
  }
})

const platform = Layer.mergeAll(
  stdio,
  Path.layer,
  nonInteractive,
  // effect/cli requires it for path flags, of which there are none. A command that reads files provides its own.
  FileSystem.layerNoop({}),
  CliConfig.layer({
    builtIns: [
      GlobalFlag.Help,
      GlobalFlag.Version,
      completions({ globalFlags, paths: { file: "file" } }),
      GlobalFlag.LogLevel
    ]
  }),
  Logger.layer([logger])
)

// The program always succeeds with the exit code of its command, unless a signal interrupts it.
const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) && Predicate.isNumber(exit.value)) return exit.value
  return Exit.hasInterrupts(exit) ? exitCodes.interrupted : exitCodes.error
}

const program = Stdio.Stdio.use(({ args }) => args).pipe(
  Effect.flatMap((args) =>
    run(command(HEADGATE_VERSION), {
      args,
      version: HEADGATE_VERSION,
      stdout: styleOf(process.stdout),
      stderr: styleOf(process.stderr)
    })
  ),
  Effect.provide(platform)
)

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCodeOf(exit))
})
