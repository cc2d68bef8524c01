import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** `--json`: short for `--output json`. */
export const json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON, errors too; short for --output json"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})

/** `--output`: what data is printed as. */
export const output = GlobalFlag.Setting("output")({
  flag: Flag.Literals("output", ["table", "json"]).pipe(
    Flag.withMetavar("format"),
    Flag.withDescription("What to print data as, table by default"),
    Flag.optional
  )
})

/** The result of a command, for a reader and for a program. Only the one that is asked for is made. */
export interface View<E = never, R = never> {
  readonly text: () => string
  readonly json: Effect.Effect<unknown, E, R>
}

const isJson = Effect.gen(function* () {
  return (yield* json) || Option.contains(yield* output, "json")
})

/** Prints the result of a command on stdout. An empty text is nothing, not an empty line. */
export const print = Effect.fnUntraced(function* <E, R>(view: View<E, R>) {
  const text = (yield* isJson) ? JSON.stringify(yield* view.json, undefined, 2) : view.text()
  if (text !== "") yield* Console.log(text)
})

/** Says something about the result on stderr, so that stdout holds data alone. */
export const note = (text: string): Effect.Effect<void> => Console.error(text)

/** Tells of a deed that gives nothing back: words on stderr, or a JSON object on stdout where that is asked for. */
export const done = Effect.fnUntraced(function* (text: string, json: object) {
  if (yield* isJson) yield* Console.log(JSON.stringify(json, undefined, 2))
  else yield* note(text)
})
