import * as Context from "effect/Context"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { styleText } from "node:util"
import { jsonText } from "./escapeTerminal.ts"

/** How text is written to a stream. */
export interface Style {
  /** Columns of the terminal, or of COLUMNS; infinite for a file or a pipe. */
  readonly width: number
  readonly strong: (text: string) => string
  readonly failure: (text: string) => string
}

/** The style of a stream: colours on a terminal that has them, or with FORCE_COLOR; none with NO_COLOR. */
export const styleOf = (stream: NodeJS.WriteStream): Style => ({
  width: stream.columns || Number(process.env["COLUMNS"]) || Infinity,
  strong: (text) => styleText("bold", text, { stream }),
  failure: (text) => styleText(["bold", "red"], text, { stream })
})

/** `--json`: short for `--output json`. */
export const json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON, errors too; short for --output json"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})

/** `--output`: the format of the data that is printed. */
export const output = GlobalFlag.Setting("output")({
  flag: Flag.Literals("output", ["table", "json"]).pipe(
    Flag.withMetavar("format"),
    Flag.withDescription("Output format, table by default"),
    Flag.optional
  )
})

/** The columns of stdout. */
export const Width = Context.Reference<number>("headgate/output/Width", { defaultValue: () => Infinity })

/** The result of a command as text and as JSON. Only the one that is printed is computed. */
export interface View<E = never, R = never> {
  readonly text: (width: number) => string
  readonly json: Effect.Effect<unknown, E, R>
}

const isJson = Effect.gen(function* () {
  return (yield* json) || Option.contains(yield* output, "json")
})

/** What a command prints could not be written. `message` says what is lost or was changed. */
export class OutputError extends Schema.TaggedError<OutputError>("headgate/output/OutputError")("OutputError", {
  message: Schema.String
}) {}

const isClosedPipe = Predicate.compose(Predicate.hasProperty("code"), ({ code }) => code === "EPIPE")

/**
 * Writes lines to stdout and waits until they are written. Fails with `OutputError` if they cannot be. `done` says what
 * is lost or was changed; without it a closed pipe is no error: `head` has read what it wants.
 */
export const write = Effect.fnUntraced(function* (text: string, done?: string) {
  const stdio = yield* Stdio.Stdio
  yield* Stream.make(`${text}\n`).pipe(
    Stream.run(stdio.stdout()),
    Effect.catch(({ reason: { cause } }) => {
      if (done === undefined && isClosedPipe(cause)) return Effect.void
      const why = Predicate.isError(cause) ? cause.message : String(cause)
      const message = `The output could not be written: ${why}.`
      return Effect.fail(new OutputError({ message: done === undefined ? message : `${message} ${done}.` }))
    })
  )
})

/** Prints the result of a command to stdout. An empty text prints nothing, not an empty line. `done`: see {@link write}. */
export const print = Effect.fnUntraced(function* <E, R>(view: View<E, R>, done?: string) {
  const text = (yield* isJson) ? jsonText(yield* view.json, 2) : view.text(yield* Width)
  if (text !== "") yield* write(text, done)
})

/** Prints a note about the result to stderr, because stdout is for data. */
export const note = (text: string): Effect.Effect<void> => Console.error(text)

/** Reports success of a command without a result: a sentence to stderr, or with `--json` an object to stdout. */
export const done = Effect.fnUntraced(function* (text: string, json: object) {
  if (yield* isJson) yield* write(jsonText(json, 2), text)
  else yield* note(`${text}.`)
})
