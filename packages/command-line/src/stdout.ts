import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** What a command prints could not be written. `message` says what is lost or was changed. */
export class OutputError extends Schema.TaggedError<OutputError>("headgate/command-line/OutputError")("OutputError", {
  message: Schema.String
}) {}

const isClosedPipe = Predicate.compose(Predicate.hasProperty("code"), ({ code }) => code === "EPIPE")

/**
 * Writes text to stdout as it is, and waits until it is written. Succeeds with whether it can be read: `head` closes a pipe
 * when it has read what it wants. Fails with `OutputError` if it cannot be written.
 */
export const writeText = Effect.fnUntraced(function* (text: string, done?: string) {
  const stdio = yield* Stdio.Stdio
  return yield* Stream.make(text).pipe(
    Stream.run(stdio.stdout()),
    Effect.as(true),
    Effect.catch(({ reason: { cause } }) => {
      if (done === undefined && isClosedPipe(cause)) return Effect.succeed(false)
      const why = Predicate.isError(cause) ? cause.message : String(cause)
      const message = `The output could not be written: ${why}.`
      return Effect.fail(new OutputError({ message: done === undefined ? message : `${message} ${done}.` }))
    })
  )
})

/**
 * Writes lines to stdout and waits until they are written. Fails with `OutputError` if they cannot be. `done` says what
 * is lost or was changed; without it a closed pipe is no error.
 */
export const write = (text: string, done?: string) => Effect.asVoid(writeText(`${text}\n`, done))

/** Runs what prints help, the version or completions with `Console.log`, which does not see a failed write, and writes it. */
export const writingLogs = Effect.fnUntraced(function* <A, E, R>(program: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const console = { ...(yield* Console.Console), log: (line: string) => void lines.push(line) }
  const exit = yield* Effect.exit(Effect.provideService(program, Console.Console, console))
  if (lines.length > 0) yield* write(lines.join("\n"))
  return yield* exit
})
