import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { styleText } from "node:util"
import type { Exchange, Unread } from "../http/Exchange.ts"
import { pathOf } from "../http/pathOf.ts"

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
