import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import { dryRun } from "../src/request/dryRun.ts"
import { confirm } from "../src/usage/confirm.ts"

const notHere = Effect.die("not at this terminal")

const terminal = (readLine: Effect.Effect<string, Terminal.QuitError>) =>
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: notHere,
      rows: notHere,
      size: notHere,
      readInput: notHere,
      display: () => notHere,
      readLine
    })
  )

/** Asks at a terminal with this answer; returns the exit and the text on stderr. */
const ask = Effect.fnUntraced(function* (
  readLine: Effect.Effect<string, Terminal.QuitError>,
  is: { readonly stdin: boolean; readonly stderr: boolean } = { stdin: true, stderr: true }
) {
  const printed: Array<string> = []
  const stdio = Stdio.layerTest({
    stdinIsTerminal: Effect.succeed(is.stdin),
    stderrIsTerminal: Effect.succeed(is.stderr),
    stderr: () => Sink.forEach((chunk) => Effect.sync(() => printed.push(String(chunk))))
  })
  const exit = yield* Effect.exit(
    confirm("Delete it?").pipe(Effect.provide([terminal(readLine), stdio]), Effect.provideService(dryRun, false))
  )
  return { exit, printed: printed.join("") }
})

describe("confirm", () => {
  it.effect.each(["y", "Y", "yes", "Yes ", " y"])("accepts %j as yes", (answer) =>
    Effect.map(ask(Effect.succeed(answer)), ({ printed, exit }) => {
      assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(printed, "Delete it? [y/N] ")
    })
  )

  it.effect.each(["", "n", "no", "yep", "ja"])("accepts %j as no", (answer) =>
    Effect.map(Effect.flip(Effect.flatMap(ask(Effect.succeed(answer)), ({ exit }) => exit)), (error) =>
      assert.strictEqual(error._tag, "Cancelled")
    )
  )

  it.effect.each([
    ["Ctrl-C and Ctrl-D", Effect.fail(new Terminal.QuitError())],
    ["a signal", Effect.interrupt]
  ] as const)("is interrupted at %s, and ends its line", ([, readLine]) =>
    Effect.map(ask(readLine), ({ exit, printed }) => {
      assert.isTrue(Exit.hasInterrupts(exit))
      assert.strictEqual(printed, "Delete it? [y/N] \n")
    })
  )

  it.effect.each([
    { stdin: false, stderr: true },
    { stdin: true, stderr: false }
  ])("fails without a terminal: %j", (is) =>
    Effect.gen(function* () {
      const { printed, exit } = yield* ask(Effect.succeed("y"), is)
      const error = yield* Effect.flip(exit)
      assert.strictEqual(error._tag, "UsageError")
      assert.include(error.message, "--yes")
      assert.strictEqual(printed, "")
    })
  )
})
