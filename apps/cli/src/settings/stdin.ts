import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { UsageError } from "../usage/UsageError.ts"

const unreadable = (reader: string) => () => new UsageError({ message: `${reader} -: stdin cannot be read.` })

/** The first line of stdin, without its end. `reader` is the flag that wants it. */
export const firstLine = Effect.fnUntraced(function* (reader: string) {
  const stdio = yield* Stdio.Stdio
  const lines = yield* stdio.stdin.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.take(1),
    Stream.runCollect,
    Effect.mapError(unreadable(reader))
  )
  const line = lines[0]?.trim() ?? ""
  return line === "" ? yield* new UsageError({ message: `${reader} -: expected one line on stdin.` }) : line
})

/** All of stdin as text. `reader` is the flag that wants it. */
export const everything = Effect.fnUntraced(function* (reader: string) {
  const stdio = yield* Stdio.Stdio
  return yield* stdio.stdin.pipe(Stream.decodeText(), Stream.mkString, Effect.mapError(unreadable(reader)))
})
