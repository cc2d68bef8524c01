import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { isatty } from "node:tty"
import { styleText } from "node:util"
import type { Exchange, Unread, Watcher } from "../http/RequestLog.ts"
import { pathOf } from "../http/requestUrl.ts"
import { LineWriter } from "./LineWriter.ts"

/** What the access log says of an exchange. Of what never became a request only some of it is known. */
export interface AccessEntry {
  /** When it ended, in milliseconds since 1970. */
  readonly time: number
  readonly requestId: string
  readonly method: string | undefined
  readonly path: string | undefined
  readonly status: number
  readonly milliseconds: number | undefined
  readonly bytes: number | undefined
  readonly remoteAddress: string | undefined
  readonly keyIdSuffix: string | undefined
}

/** No path of the contract is nearly as long; a line must not become as long as a caller likes. */
const longestPath = 512

const cut = (path: string): string => (path.length > longestPath ? `${path.slice(0, longestPath)}...` : path)

const bytesOf = ({ body }: HttpServerResponse): number | undefined =>
  body._tag === "Empty" ? 0 : body._tag === "Uint8Array" ? body.contentLength : undefined

/** The entry of an exchange that ended at `time`. */
export const entryOf = (
  { keyIdSuffix, milliseconds, request, requestId, response }: Exchange,
  time: number
): AccessEntry => ({
  time,
  requestId,
  method: request.method,
  path: cut(pathOf(request.url)),
  status: response.status,
  milliseconds,
  bytes: bytesOf(response),
  remoteAddress: Option.getOrUndefined(request.remoteAddress),
  keyIdSuffix
})

/** The entry of bytes that never became a request. */
export const entryOfUnread = ({ remoteAddress, requestId, status }: Unread, time: number): AccessEntry => ({
  time,
  requestId,
  method: undefined,
  path: undefined,
  status,
  milliseconds: undefined,
  bytes: undefined,
  remoteAddress,
  keyIdSuffix: undefined
})

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * A JSON string of ASCII: whatever a caller put into it, it ends no line, starts no escape sequence of a terminal and
 * has as many bytes as characters.
 */
const quoted = (text: string): string => JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, unicodeEscape)

const rounded = (milliseconds: number): string => milliseconds.toFixed(3)

// An ISO text at this rate is not worth a DateTime.
const isoTime = (time: number): string => new Date(time).toISOString()

/** One line of JSON. */
export const jsonLine = (entry: AccessEntry): string => {
  const { bytes, keyIdSuffix, method, milliseconds, path, remoteAddress, requestId, status, time } = entry
  return (
    `{"time":"${isoTime(time)}","requestId":"${requestId}"` +
    (method === undefined ? "" : `,"method":${quoted(method)}`) +
    (path === undefined ? "" : `,"path":${quoted(path)}`) +
    `,"status":${status}` +
    (milliseconds === undefined ? "" : `,"milliseconds":${rounded(milliseconds)}`) +
    (bytes === undefined ? "" : `,"bytes":${bytes}`) +
    (keyIdSuffix === undefined ? "" : `,"keyIdSuffix":${quoted(keyIdSuffix)}`) +
    (remoteAddress === undefined ? "" : `,"remoteAddress":${quoted(remoteAddress)}`) +
    "}\n"
  )
}

const colourOf = (status: number) => (status >= 500 ? "red" : status >= 400 ? "yellow" : "green")

const bare = (text: string): string => quoted(text).slice(1, -1)

/** One line for a person at a terminal, in the time of the machine. `NO_COLOR` is heeded. */
export const prettyLine = (entry: AccessEntry): string => {
  const { keyIdSuffix, method = "-", milliseconds, path = "-", remoteAddress, requestId, status, time } = entry
  return (
    [
      new Date(time).toTimeString().slice(0, 8),
      styleText(colourOf(status), String(status)),
      bare(method).padEnd(6),
      bare(path),
      milliseconds === undefined ? "" : `${milliseconds.toFixed(1)} ms`,
      keyIdSuffix === undefined ? "" : `key ...${bare(keyIdSuffix)}`,
      remoteAddress === undefined ? "" : bare(remoteAddress),
      requestId
    ]
      .filter((part) => part !== "")
      .join("  ") + "\n"
  )
}

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
