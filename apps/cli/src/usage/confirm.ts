import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import * as Flag from "effect/cli/Flag"
import { dryRun } from "../request/dryRun.ts"
import { Cancelled, UsageError } from "../error/CommandError.ts"
import { isInteractive, orInterrupt } from "./prompt.ts"

/** `--yes`, of commands that destroy something. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do not ask for confirmation; required without a terminal"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

/**
 * Asks on stderr for confirmation; the default is no. Fails with `Cancelled` for any answer but yes, and with
 * `UsageError` without a terminal: `flag` is what confirms there. With `--dry-run` there is nothing to confirm.
 */
export const confirm = Effect.fnUntraced(function* (question: string, flag = "--yes") {
  if (yield* dryRun) return
  const stdio = yield* Stdio.Stdio
  const terminal = yield* Terminal.Terminal
  if (!(yield* isInteractive)) {
    return yield* new UsageError({ message: `There is no terminal to ask "${question}": pass ${flag} to confirm.` })
  }
  yield* Stream.make(`${question} [y/N] `).pipe(Stream.run(stdio.stderr()), Effect.orDie)
  const answer = yield* orInterrupt(terminal.readLine)
  if (!/^y(es)?$/i.test(answer.trim())) return yield* new Cancelled({ message: "Not confirmed: nothing was done." })
})
