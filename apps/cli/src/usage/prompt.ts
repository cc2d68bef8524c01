import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import * as Prompt from "effect/cli/Prompt"

/** Whether there is a user to ask: questions go to stderr, because stdout is for data. */
export const isInteractive = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  return (yield* stdio.stdinIsTerminal) && (yield* stdio.stderrIsTerminal)
})

/** Ctrl-C and Ctrl-D at a question end the command, and the line of the question, on which the shell would go on. */
export const orInterrupt = Effect.fnUntraced(function* <A, E, R>(answer: Effect.Effect<A, E | Terminal.QuitError, R>) {
  const stdio = yield* Stdio.Stdio
  const endLine = Effect.ignore(Stream.run(Stream.make("\n"), stdio.stderr()))
  return yield* answer.pipe(
    Effect.catchIf(Terminal.isQuitError, () => Effect.interrupt),
    Effect.onInterrupt(() => endLine)
  )
})

/** Asks at the terminal, on stderr. Ctrl-C, Ctrl-D and Escape end the command. */
export const ask = Effect.fnUntraced(function* <A>(prompt: Prompt.Prompt<A>) {
  const stdio = yield* Stdio.Stdio
  const terminal = yield* Terminal.Terminal
  const display = (text: string) => Stream.run(Stream.make(text), stdio.stderr())
  return yield* Prompt.run(prompt).pipe(
    Effect.provideService(Terminal.Terminal, Terminal.make({ ...terminal, display })),
    orInterrupt
  )
})
