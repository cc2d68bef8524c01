import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Flag from "effect/cli/Flag"
import { StartupError } from "../StartupError.ts"

const isClosedPipe = Predicate.compose(Predicate.hasProperty("code"), ({ code }) => code === "EPIPE")

/**
 * Writes lines to stdout and waits until they are written. Fails with `StartupError` if they cannot be. `lost` says what
 * is lost then; without it a closed pipe is no error: `head` has read what it wants.
 */
export const print = Effect.fnUntraced(function* (text: string, lost?: string) {
  const stdio = yield* Stdio.Stdio
  yield* Stream.make(`${text}\n`).pipe(
    Stream.run(stdio.stdout()),
    Effect.catch(({ reason: { cause } }) => {
      if (lost === undefined && isClosedPipe(cause)) return Effect.void
      const why = Predicate.isError(cause) ? cause.message : String(cause)
      const message = `the output could not be written: ${why}`
      return Effect.fail(new StartupError({ message: lost === undefined ? message : `${message}. ${lost}` }))
    })
  )
})

/** Runs what prints help, the version or completions with `Console.log`, which does not see a failed write, and writes it. */
export const writingLogs = Effect.fnUntraced(function* <A, E, R>(program: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const console = { ...(yield* Console.Console), log: (line: string) => void lines.push(line) }
  const exit = yield* Effect.exit(Effect.provideService(program, Console.Console, console))
  if (lines.length > 0) yield* print(lines.join("\n"))
  return yield* exit
})

// JSON.stringify leaves these as they are; a terminal obeys them, or reverses text for them.
const control = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Escapes the control characters of a JSON text, so that a name that a caller chose cannot control the terminal. */
const escapeTerminal = (json: string): string =>
  json.replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** JSON for a terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  escapeTerminal(JSON.stringify(value, undefined, indent))

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON with every field, as on the wire"),
  Flag.withDefault(false)
)

/** A table for a terminal and for awk: a header, columns two spaces apart. Only the last column may hold more than ASCII. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [header, ...rows]
  const widths = header.map((_, index) => Math.max(...lines.map((cells) => (cells[index] ?? "").length)))
  return lines
    .map((cells) =>
      cells.map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ")
    )
    .join("\n")
}
