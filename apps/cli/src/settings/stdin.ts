import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { UsageError } from "../error/CommandError.ts"
import { required, type Setting, type SettingValue } from "./Setting.ts"

const unreadable = (flag: string) => () => new UsageError({ message: `${flag} -: stdin cannot be read.` })

const readLine = Effect.fnUntraced(function* (flag: string) {
  const stdio = yield* Stdio.Stdio
  const lines = yield* stdio.stdin.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.take(1),
    Stream.runCollect,
    Effect.mapError(unreadable(flag))
  )
  const line = lines[0]?.trim() ?? ""
  return line === "" ? yield* new UsageError({ message: `${flag} -: expected one line on stdin.` }) : line
})

/** Reads stdin to its end as text. `flag` is the one that has the value `-`. */
export const readAll = Effect.fnUntraced(function* (flag: string) {
  const stdio = yield* Stdio.Stdio
  return yield* stdio.stdin.pipe(Stream.decodeText(), Stream.mkString, Effect.mapError(unreadable(flag)))
})

/** Whether a secret is read from stdin: `--token -`. A dash in an environment variable is the secret itself. */
export const isFromStdin = ({ source, value }: SettingValue<Redacted.Redacted>): boolean =>
  source.startsWith("--") && Redacted.value(value) === "-"

/** Reads a required secret, from a line of stdin if the value of its flag is `-`. */
export const readSecret = Effect.fnUntraced(function* <R>(setting: Setting<Redacted.Redacted, R>) {
  const given = yield* required(setting)
  return isFromStdin(given) ? Redacted.make(yield* readLine(given.source)) : given.value
})
