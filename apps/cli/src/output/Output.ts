import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { styleText } from "node:util"

/** How words are emphasized on a stream. */
export interface Style {
  readonly strong: (text: string) => string
  readonly failure: (text: string) => string
}

/** The style of a stream: colours on a terminal that has them, or with FORCE_COLOR; none with NO_COLOR. */
export const styleOf = (stream: NodeJS.WriteStream): Style => ({
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

/** The result of a command as text and as JSON. Only the one that is printed is computed. */
export interface View<E = never, R = never> {
  readonly text: () => string
  readonly json: Effect.Effect<unknown, E, R>
}

const isJson = Effect.gen(function* () {
  return (yield* json) || Option.contains(yield* output, "json")
})

/** Prints the result of a command to stdout. An empty text prints nothing, not an empty line. */
export const print = Effect.fnUntraced(function* <E, R>(view: View<E, R>) {
  const text = (yield* isJson) ? JSON.stringify(yield* view.json, undefined, 2) : view.text()
  if (text !== "") yield* Console.log(text)
})

/** Prints a note about the result to stderr, because stdout is for data. */
export const note = (text: string): Effect.Effect<void> => Console.error(text)

/** Reports success of a command without a result: text to stderr, or with `--json` an object to stdout. */
export const done = Effect.fnUntraced(function* (text: string, json: object) {
  if (yield* isJson) yield* Console.log(JSON.stringify(json, undefined, 2))
  else yield* note(text)
})
