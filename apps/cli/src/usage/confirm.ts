import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import { Declined } from "./Declined.ts"
import { UsageError } from "./UsageError.ts"

/**
 * Asks on stderr whether to go on, no being the default. Fails with `Declined` for any answer but yes, and with
 * `UsageError` where nobody can answer.
 */
export const confirm = Effect.fnUntraced(function* (question: string) {
  const stdio = yield* Stdio.Stdio
  const terminal = yield* Terminal.Terminal
  if (!((yield* stdio.stdinIsTerminal) && (yield* stdio.stderrIsTerminal))) {
    return yield* new UsageError({ message: `There is no terminal to ask "${question}" at: pass --yes to answer it.` })
  }
  yield* Stream.make(`${question} [y/N] `).pipe(Stream.run(stdio.stderr()), Effect.orDie)
  // Ctrl-C and Ctrl-D are no answer but the wish to leave.
  const answer = yield* Effect.catchTag(terminal.readLine, "QuitError", () => Effect.interrupt)
  if (!/^y(es)?$/i.test(answer.trim())) return yield* new Declined({ message: "Not confirmed: nothing was done." })
})
