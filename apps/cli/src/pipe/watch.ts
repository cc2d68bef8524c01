import { escapeTerminalLine, jsonText, write } from "@headgate/command-line"
import { type Pipe, Pipes } from "@headgate/core"
import { type Dialect, pipeCodec } from "@headgate/http-contract"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { withStatus } from "../output/statusLine.ts"
import { yamlText } from "../output/yamlText.ts"
import { currentDialect } from "../settings/settings.ts"
import { askedPause, isTemporary, nextPause } from "../wait/polling.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (dialect: Dialect, pipe: Pipe) =>
  Effect.map(Effect.orDie(Schema.encodeEffect(pipeCodec(dialect))(pipe)), (fields): Fields => ({ ...fields }))

/** The names of the fields that differ. */
const changedFields = (before: Fields, after: Fields): ReadonlyArray<string> =>
  Array.from(new Set([...Object.keys(before), ...Object.keys(after)])).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )

/** One line: the time, the state and the fields that have changed beside it. */
const lineOf = (time: DateTime.Utc, { state }: Pipe, changed: ReadonlyArray<string>): string =>
  [DateTime.formatIso(time), state, changed.filter((name) => name !== "state").join(", ")]
    .map(escapeTerminalLine)
    .join("  ")
    .trimEnd()

/** Prints a change. */
type Print = (pipe: Pipe, changed: ReadonlyArray<string>, fields: Fields) => ReturnType<typeof write>

const printAs = (format: "table" | "json" | "yaml"): Print =>
  Effect.fnUntraced(function* (pipe, changed, fields) {
    if (format === "json") return yield* write(jsonText(fields))
    if (format === "yaml") return yield* write(`---\n${yield* yamlText(fields)}`)
    yield* write(lineOf(yield* DateTime.now, pipe, changed))
  })

/** `headgate pipe watch <pipe-id>` */
export const watch = Command.make(
  "watch",
  { pipeId: pipeIdArgument },
  Effect.fnUntraced(function* (input) {
    const pipes = yield* Pipes
    const dialect = yield* currentDialect
    const address = yield* pipeAddress(input.pipeId)
    const format = yield* Output.format
    const stdio = yield* Stdio.Stdio

    const poll = (print: Print) =>
      Effect.gen(function* () {
        let pipe = yield* pipes.get(address)
        let fields = yield* fieldsOf(dialect, pipe)
        yield* print(pipe, [], fields)
        let pause: Duration.Duration | undefined
        let asked = Duration.zero
        while (true) {
          pause = nextPause(pause)
          yield* Effect.sleep(Duration.max(pause, asked))
          asked = Duration.zero
          const next = yield* Effect.exit(pipes.get(address))
          if (Exit.isFailure(next)) {
            const error = Option.getOrUndefined(Exit.findErrorOption(next))
            if (error === undefined || !isTemporary(error)) return yield* next
            yield* Output.note(`warning: ${escapeTerminalLine(error.message)}; trying again.`)
            asked = askedPause(error)
            continue
          }
          pipe = next.value
          const after = yield* fieldsOf(dialect, pipe)
          const changed = changedFields(fields, after)
          if (changed.length === 0) continue
          fields = after
          pause = undefined
          yield* print(pipe, changed, fields)
        }
      })

    const isTerminal = (yield* stdio.stdoutIsTerminal) && !(yield* Output.Plain)
    if (format !== "table" || !isTerminal) return yield* poll(printAs(format))
    const { stdout } = yield* Output.Styles
    return yield* withStatus({ sink: stdio.stdout, isTerminal, width: stdout.width }, (show) =>
      poll((pipe, changed) =>
        Effect.gen(function* () {
          yield* show(lineOf(yield* DateTime.now, pipe, changed), yield* Clock.currentTimeMillis)
        })
      )
    )
  })
).pipe(
  Command.withDescription(
    "Print the state of a pipe, and a line for each change of the pipe, until Ctrl-C; with --json a document a line"
  ),
  Command.withExamples([
    { command: "headgate pipe watch orders" },
    { command: "headgate pipe watch orders --json | jq -r .state", description: "The states as they come" }
  ])
)
