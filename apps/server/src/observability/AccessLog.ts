import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isatty } from "node:tty"
import type { ParseError, RequestObserver } from "../http/RequestLog.ts"
import { type AccessEntry, entryOf, entryOfUnread, jsonLine, prettyLine } from "./AccessEntry.ts"
import { LineWriter } from "./LineWriter.ts"

/** The values of `--access-log`: `auto` is `pretty` at a terminal, otherwise `json`. */
export const accessLogFormats = ["auto", "json", "pretty", "off"] as const

export type AccessLogFormat = (typeof accessLogFormats)[number]

const lineOf: { readonly [Format in AccessLogFormat]: ((entry: AccessEntry) => string) | undefined } = {
  auto: isatty(1) ? prettyLine : jsonLine,
  json: jsonLine,
  pretty: prettyLine,
  off: undefined
}

/** How long shutdown waits for the last lines, in milliseconds. */
const flushTimeout = 1000

/** One line on stdout for each request. */
export class AccessLog extends Context.Service<
  AccessLog,
  {
    /** The observers that write the log; none for `off`. */
    readonly observers: ReadonlyArray<RequestObserver>
    readonly parseErrorObservers: ReadonlyArray<(unread: ParseError) => void>
    /** How many lines were dropped because stdout was read too slowly or was closed. */
    readonly dropped: () => number
  }
>()("headgate-server/observability/AccessLog") {
  static readonly layer = (format: AccessLogFormat) =>
    Layer.effect(
      AccessLog,
      Effect.gen(function* () {
        const toLine = lineOf[format]
        if (toLine === undefined) return { observers: [], parseErrorObservers: [], dropped: () => 0 }
        const clock = yield* Clock.Clock
        // Opened for the first line: opening stdout would slow down the start.
        let writer: LineWriter | undefined
        const write = (entry: AccessEntry) => (writer ??= new LineWriter(process.stdout)).write(toLine(entry))
        yield* Effect.addFinalizer(() => Effect.promise(() => writer?.settled(flushTimeout) ?? Promise.resolve()))
        // Also for an end that runs no finalizers.
        process.once("exit", () => writer?.flushSync())
        return {
          observers: [(log) => Effect.sync(() => write(entryOf(log, clock.currentTimeMillisUnsafe())))],
          parseErrorObservers: [(unread) => write(entryOfUnread(unread, clock.currentTimeMillisUnsafe()))],
          dropped: () => writer?.dropped ?? 0
        }
      })
    )
}
