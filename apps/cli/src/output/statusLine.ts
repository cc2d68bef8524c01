import { cut } from "@headgate/command-line"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { PlatformError } from "effect/PlatformError"
import * as Schedule from "effect/Schedule"
import type * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { Plain } from "./Output.ts"

/** Whole seconds, as `1m 5s`. */
const elapsedText = (millis: number): string => {
  const seconds = Math.floor(millis / 1000)
  return seconds === 0 ? "0s" : Duration.format(Duration.seconds(seconds))
}

interface Line {
  readonly text: string
  readonly since: number
}

/** Where a status is shown. */
export interface StatusStream {
  readonly sink: () => Sink.Sink<void, string | Uint8Array, unknown, PlatformError>
  readonly isTerminal: boolean
  /** Columns of the terminal. */
  readonly width: number
}

/**
 * Runs an effect that shows its status. At a terminal a status is one line, updated each second with the time that has
 * passed since `since` and cut to the width of the terminal; what a later status replaces stays above it. Elsewhere, and
 * with `--plain`, each status is a line, written once.
 */
export const withStatus = Effect.fnUntraced(function* <A, E, R>(
  { isTerminal, sink, width }: StatusStream,
  use: (show: (text: string, since: number) => Effect.Effect<void>) => Effect.Effect<A, E, R>
) {
  const current = MutableRef.make<Line | undefined>(undefined)
  // A status that cannot be written is not worth an error.
  const send = (text: string) => Effect.ignore(Stream.run(Stream.make(text), sink()))
  const draw = ({ since, text }: Line, columns: number, start: string, end: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const elapsed = ` (${elapsedText(now - since)})`
      return send(`${start}${cut(text, columns - elapsed.length)}${elapsed}${end}`)
    })
  const redraw = Effect.suspend(() => {
    const line = MutableRef.get(current)
    return line === undefined ? Effect.void : draw(line, width, "\r\u001b[2K", "")
  })
  const finish = Effect.suspend(() => (MutableRef.get(current) === undefined ? Effect.void : send("\n")))
  if (!isTerminal || (yield* Plain)) return yield* use((text, since) => draw({ text, since }, Infinity, "", "\n"))
  const show = (text: string, since: number) =>
    Effect.gen(function* () {
      yield* finish
      MutableRef.set(current, { text, since })
      yield* redraw
    })
  return yield* Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => finish)
      yield* Effect.forkScoped(Effect.repeat(redraw, Schedule.spaced("1 second")))
      return yield* use(show)
    })
  )
})
