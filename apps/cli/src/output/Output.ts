import { jsonText, plainStyle, type Style, Width, wrapLines, write } from "@headgate/command-line"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { Layout } from "./Layout.ts"
import { yamlText } from "./yamlText.ts"

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
  flag: Flag.Literals("output", ["table", "json", "yaml"]).pipe(
    Flag.withMetavar("format"),
    Flag.withDescription("Output format, table by default: table, json or yaml"),
    Flag.optional
  )
})

/** `--plain`. It is read from the raw arguments, because errors may be printed before they are parsed. */
export const plain = GlobalFlag.Setting("plain")({
  flag: Flag.Boolean("plain").pipe(
    Flag.withDescription("Print for screen readers: a line for each value, no columns, no colours, no redrawn lines"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})

/** Whether `--plain` is given. */
export const Plain = Context.Reference<boolean>("headgate/output/Plain", { defaultValue: () => false })

/** Whether stdout is a pipe, whose reader may end before the command. */
export const IsPipe = Context.Reference<boolean>("headgate/output/IsPipe", { defaultValue: () => false })

/** How text is written to each stream. */
export interface StreamStyles {
  readonly stdout: Style
  readonly stderr: Style
}

/** The styles of the streams; plain unless the program sets them. */
export const Styles = Context.Reference<StreamStyles>("headgate/output/Styles", {
  defaultValue: () => ({ stdout: plainStyle, stderr: plainStyle })
})

/** The result of a command as text and as JSON, which YAML shows too. Only the one that is printed is computed. */
export interface View<E = never, R = never> {
  readonly text: (layout: Layout) => string
  readonly json: Effect.Effect<unknown, E, R>
}

/** A value as JSON. An encoder is made only if this is printed: for a pipe it takes as long as the request. */
export const encoded = <A, I>(schema: Schema.Codec<A, I>, value: A): Effect.Effect<I> =>
  Effect.suspend(() => Effect.orDie(Schema.encodeEffect(schema)(value)))

/** The format of `--json` and `--output`. */
export const format = Effect.gen(function* () {
  return (yield* json) ? "json" : Option.getOrElse(yield* output, () => "table" as const)
})

const dataText = (chosen: "json" | "yaml", value: unknown) =>
  chosen === "json" ? Effect.succeed(jsonText(value, 2)) : yamlText(value)

/** Prints the result of a command to stdout. An empty text prints nothing, not an empty line. `done`: see {@link write}. */
export const print = Effect.fnUntraced(function* <E, R>(view: View<E, R>, done?: string) {
  const chosen = yield* format
  const text =
    chosen === "table"
      ? view.text({ width: yield* Width, isPlain: yield* Plain })
      : yield* dataText(chosen, yield* view.json)
  if (text !== "") yield* write(text, done)
})

/** Prints a note about the result to stderr, because stdout is for data. A terminal gets whole words in each line. */
export const note = (text: string): Effect.Effect<void> =>
  Effect.flatMap(Styles, ({ stderr }) => Console.error(wrapLines(text, stderr.width)))

/** Reports success of a command without a result: a sentence to stderr, or an object to stdout as JSON or YAML. */
export const done = Effect.fnUntraced(function* (text: string, json: object) {
  const chosen = yield* format
  if (chosen === "table") yield* note(`${text}.`)
  else yield* write(yield* dataText(chosen, json), text)
})
