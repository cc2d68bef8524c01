import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isatty } from "node:tty"
import type { Unread, Watcher } from "../http/Exchange.ts"
import { type AccessEntry, entryOf, entryOfUnread, jsonLine, prettyLine } from "./accessLine.ts"
import { LineWriter } from "./LineWriter.ts"

/** How `--access-log` may be spelled. */
export const accessLogFormats = ["auto", "json", "pretty", "off"] as const

/** How requests are logged: `auto` is `pretty` at a terminal, else `json`. */
export type AccessLogFormat = (typeof accessLogFormats)[number]

const lineOf: { readonly [Format in AccessLogFormat]: ((entry: AccessEntry) => string) | undefined } = {
  auto: isatty(1) ? prettyLine : jsonLine,
  json: jsonLine,
  pretty: prettyLine,
  off: undefined
}

/** How long what was logged last may take to be written, in milliseconds. */
const patience = 1000

/** One line on stdout for each exchange. */
export class AccessLog extends Context.Service<
  AccessLog,
  {
    /** Those to tell of exchanges and of what never became one; none where nothing is logged. */
    readonly watchers: ReadonlyArray<Watcher>
    readonly unreadWatchers: ReadonlyArray<(unread: Unread) => void>
    /** How many lines were not written, since their reader was too slow or gone. */
    readonly dropped: () => number
  }
>()("headgate-server/log/AccessLog") {
  static readonly layer = (format: AccessLogFormat) =>
    Layer.effect(
      AccessLog,
      Effect.gen(function* () {
        const toLine = lineOf[format]
        if (toLine === undefined) return { watchers: [], unreadWatchers: [], dropped: () => 0 }
        const clock = yield* Clock.Clock
        // Opened for the first line: it takes its time, which a start does not have.
        let writer: LineWriter | undefined
        const write = (entry: AccessEntry) => (writer ??= new LineWriter(process.stdout)).write(toLine(entry))
        yield* Effect.addFinalizer(() => Effect.promise(() => writer?.settled(patience) ?? Promise.resolve()))
        // However the process ends, short of a kill.
        process.once("exit", () => writer?.flushSync())
        return {
          watchers: [(exchange) => Effect.sync(() => write(entryOf(exchange, clock.currentTimeMillisUnsafe())))],
          unreadWatchers: [(unread) => write(entryOfUnread(unread, clock.currentTimeMillisUnsafe()))],
          dropped: () => writer?.dropped ?? 0
        }
      })
    )
}
