import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { renderHelp, styleOf } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { fstatSync } from "node:fs"
import { exitCodes } from "./error/CommandError.ts"
import { IsPipe } from "./output/Output.ts"
import { program } from "./program.ts"

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

// The program always succeeds with the exit code of its command, unless a signal interrupts it.
const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) && Predicate.isNumber(exit.value)) return exit.value
  return Exit.hasInterrupts(exit) ? exitCodes.interrupted : exitCodes.error
}

const stdout = styleOf(process.stdout)

const isPipe = Option.exists(Option.liftThrowable(() => fstatSync(1))(), (stat) => stat.isFIFO() || stat.isSocket())

const main = Stdio.Stdio.use(({ args }) => args).pipe(
  Effect.flatMap((args) =>
    program({
      args,
      version: HEADGATE_VERSION,
      stdout,
      stderr: styleOf(process.stderr),
      help: renderHelp
    })
  ),
  Effect.provideService(IsPipe, isPipe),
  Effect.provide(stdio)
)

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCodeOf(exit))
})
