import { escapeTerminalLine, jsonText, writeText } from "@headgate/command-line"
import { type Pipe, Pipes, type PipeState, pipeStates, type PipeStatus } from "@headgate/core"
import { type Dialect, pipeCodec } from "@headgate/http-contract"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { WaitTimedOut } from "../error/CommandError.ts"
import { countText } from "../output/detailText.ts"
import * as Output from "../output/Output.ts"
import { withStatus } from "../output/statusLine.ts"
import { yamlText } from "../output/yamlText.ts"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { currentDialect } from "../settings/settings.ts"
import { validate } from "../usage/validate.ts"
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

const mebibyte = 1024 * 1024

/** How a pipe moves its rows, and why it does not. A simulated pipe moves none. */
const movementOf = (status: PipeStatus | undefined): ReadonlyArray<string> => {
  if (status === undefined || status.simulated) return []
  const { errors, lag, message, retainedLogBytes, rows, rowsPerSecond, unknownFields, warnings } = status
  return [
    ...(typeof rowsPerSecond === "number" ? [`${countText(rowsPerSecond)} rows/s`] : []),
    ...(typeof lag === "number" ? [`lag ${countText(lag)}`] : []),
    ...(typeof rows === "number" ? [`${countText(rows)} rows`] : []),
    ...(typeof errors === "number" && errors > 0 ? [`${countText(errors)} rejected`] : []),
    ...(typeof retainedLogBytes === "number"
      ? [`${countText(Math.round(retainedLogBytes / mebibyte))} MiB of log kept`]
      : []),
    ...(unknownFields?.length ? [`unknown fields: ${unknownFields.map(({ name }) => name).join(" ")}`] : []),
    ...(typeof message === "string" ? [message] : []),
    ...(warnings ?? []).map((warning) => `warning: ${warning}`)
  ]
}

/** What tells whether there is something new to print: at a terminal all of it, elsewhere not what changes by itself. */
const newsOf = (status: PipeStatus | undefined, isLive: boolean): string => {
  if (status === undefined) return ""
  const steady = isLive ? status : { ...status, lag: null, retainedLogBytes: null, rowsPerSecond: null }
  return movementOf(steady).join()
}

/** One line: the time, the state, the fields that have changed beside it, and how the pipe moves. */
const lineOf = (
  time: DateTime.Utc,
  { state }: Pipe,
  changed: ReadonlyArray<string>,
  movement: ReadonlyArray<string>
): string =>
  [DateTime.formatIso(time), state, changed.filter((name) => name !== "state").join(", "), movement.join(", ")]
    .filter((part) => part !== "")
    .map(escapeTerminalLine)
    .join("  ")
    .trimEnd()

/** Prints a change. Succeeds with whether somebody reads it. */
type Print = (
  pipe: Pipe,
  changed: ReadonlyArray<string>,
  movement: ReadonlyArray<string>,
  fields: Fields
) => ReturnType<typeof writeText>

const printAs = (format: "table" | "json" | "yaml"): Print =>
  Effect.fnUntraced(function* (pipe, changed, movement, fields) {
    if (format === "json") return yield* writeText(`${jsonText(fields)}\n`)
    if (format === "yaml") return yield* writeText(`---\n${yield* yamlText(fields)}\n`)
    return yield* writeText(`${lineOf(yield* DateTime.now, pipe, changed, movement)}\n`)
  })

// That the reader of a pipe has ended shows only when something is written. `head -1` ends when it has its line: the next writes show
// it.
const maxProbes = 3
// In front of a line or a document it means nothing.
const probe = { table: " ", json: " ", yaml: "#\n" }

const watchFlags = {
  until: Flag.Literals("until", pipeStates).pipe(
    Flag.withMetavar("state"),
    Flag.withDescription("End when the pipe is in this state; repeat for any of several"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<PipeState>>([])
  ),
  waitTimeout: Flag.String("wait-timeout").pipe(
    Flag.withMetavar("duration"),
    Flag.withDescription("How long to watch, such as 30s or 1h; without it until Ctrl-C"),
    Flag.mapEffect(validate({ kind: "flag", name: "wait-timeout" }, ShortDuration)),
    Flag.optional
  )
}

/** `headgate pipe watch <pipe-id>` */
export const watch = Command.make(
  "watch",
  { pipeId: pipeIdArgument, ...watchFlags },
  Effect.fnUntraced(function* (input) {
    const pipes = yield* Pipes
    const dialect = yield* currentDialect
    const address = yield* pipeAddress(input.pipeId)
    const format = yield* Output.format
    const stdio = yield* Stdio.Stdio
    const isPipe = yield* Output.IsPipe
    const isLast = ({ state }: Pipe) => input.until.some((one) => one === state)
    let state = "not read"

    /** Documents have the fields of the contract alone. A service that does not tell how the pipe moves is asked once. */
    let isMoved = format === "table"
    const readStatus = Effect.fnUntraced(function* (last: PipeStatus | undefined) {
      if (!isMoved) return undefined
      const status = yield* Effect.result(pipes.status(address))
      if (Result.isFailure(status)) {
        isMoved = isTemporary(status.failure)
        return isMoved ? last : undefined
      }
      isMoved = !status.success.simulated
      return status.success
    })

    const poll = (print: Print, isLive: boolean) =>
      Effect.gen(function* () {
        let pipe = yield* pipes.get(address)
        let fields = yield* fieldsOf(dialect, pipe)
        let status = yield* readStatus(undefined)
        let probes = 0
        let isRead = yield* print(pipe, [], movementOf(status), fields)
        let pause: Duration.Duration | undefined
        let asked = Duration.zero
        while (isRead && !isLast(pipe)) {
          state = pipe.state
          pause = nextPause(pause)
          yield* Effect.sleep(Duration.max(pause, asked))
          asked = Duration.zero
          const next = yield* Effect.exit(Effect.all([pipes.get(address), readStatus(status)]))
          if (Exit.isFailure(next)) {
            const error = Option.getOrUndefined(Exit.findErrorOption(next))
            if (error === undefined || !isTemporary(error)) return yield* next
            yield* Output.note(`warning: ${escapeTerminalLine(error.message)}; trying again.`)
            asked = askedPause(error)
            continue
          }
          const before = newsOf(status, isLive)
          ;[pipe, status] = next.value
          const after = yield* fieldsOf(dialect, pipe)
          const changed = changedFields(fields, after)
          if (changed.length === 0 && newsOf(status, isLive) === before) {
            if (isPipe && probes++ < maxProbes) isRead = yield* writeText(probe[format])
            continue
          }
          fields = after
          pause = undefined
          probes = 0
          isRead = yield* print(pipe, changed, movementOf(status), fields)
        }
      })

    const isTerminal = (yield* stdio.stdoutIsTerminal) && !(yield* Output.Plain)
    const { stdout } = yield* Output.Styles
    const watching =
      format !== "table" || !isTerminal
        ? poll(printAs(format), false)
        : withStatus({ sink: stdio.stdout, isTerminal, width: stdout.width }, (show) =>
            poll(
              (pipe, changed, movement) =>
                Effect.gen(function* () {
                  yield* show(lineOf(yield* DateTime.now, pipe, changed, movement), yield* Clock.currentTimeMillis)
                  return true
                }),
              true
            )
          )
    if (Option.isNone(input.waitTimeout)) return yield* watching
    const duration = input.waitTimeout.value
    const late = () =>
      new WaitTimedOut({
        message: `Pipe ${address.pipeId} is still ${escapeTerminalLine(state)} after ${Duration.format(duration)}: waited for ${input.until.join(" or ")}.`
      })
    // Without a state to wait for, the time is over as it should be.
    return yield* Effect.timeoutOrElse(watching, {
      duration,
      orElse: () => (input.until.length === 0 ? Effect.void : late())
    })
  })
).pipe(
  Command.withDescription(
    "Print the state of a pipe, and a line for each change of the pipe or its rows, until Ctrl-C, a state or the end of its reader; with --json a document a line"
  ),
  Command.withExamples([
    { command: "headgate pipe watch orders" },
    { command: "headgate pipe watch orders --until Completed --until Failed", description: "Until it has ended" },
    { command: "headgate pipe watch orders --json | jq -r .state", description: "The states as they come" }
  ])
)
