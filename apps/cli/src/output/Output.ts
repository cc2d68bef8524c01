import { jsonText, Width, write } from "@headgate/command-line"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"

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
  readonly text: (width: number) => string
  readonly json: Effect.Effect<unknown, E, R>
}

/** Whether data is printed as JSON. */
export const isJson = Effect.gen(function* () {
  return (yield* json) || Option.contains(yield* output, "json")
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
