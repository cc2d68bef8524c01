import * as Option from "effect/Option"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { styleText } from "node:util"
import type { ParseError, RequestLog } from "../http/RequestLog.ts"
import { pathOf } from "../http/requestUrl.ts"

/** A line of the access log. Bytes that could not be parsed as a request have fewer fields. */
export interface AccessEntry {
  /** The end of the request, in milliseconds since 1970. */
  readonly time: number
  readonly requestId: string
  readonly method: string | undefined
  readonly path: string | undefined
  readonly status: number
  readonly milliseconds: number | undefined
  readonly bytes: number | undefined
  readonly remoteAddress: string | undefined
  readonly keyIdSuffix: string | undefined
  /** Whether the key was used by a session of the console. */
  readonly isSession: boolean
}

/** Longer paths are cut, so that a caller cannot write lines of any length. No path of the contract is as long. */
const maxPath = 512

const cut = (path: string): string => (path.length > maxPath ? `${path.slice(0, maxPath)}...` : path)

const bytesOf = ({ body }: HttpServerResponse): number | undefined =>
  body._tag === "Empty" ? 0 : body._tag === "Uint8Array" ? body.contentLength : undefined

/** The entry of a request that ended at `time`. */
export const entryOf = (
  { isSession, keyIdSuffix, milliseconds, request, requestId, response }: RequestLog,
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
  keyIdSuffix,
  isSession
})

/** The entry of bytes that could not be parsed as a request. */
export const entryOfUnread = ({ remoteAddress, requestId, status }: ParseError, time: number): AccessEntry => ({
  time,
  requestId,
  method: undefined,
  path: undefined,
  status,
  milliseconds: undefined,
  bytes: undefined,
  remoteAddress,
  keyIdSuffix: undefined,
  isSession: false
})

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * A JSON string in ASCII. Text from a caller cannot end the line or control a terminal, and the string has as many bytes as
 * characters.
 */
const quoted = (text: string): string => JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, unicodeEscape)

const rounded = (milliseconds: number): string => milliseconds.toFixed(3)

// A Date is cheaper than a DateTime, and this runs for every request.
const isoTime = (time: number): string => new Date(time).toISOString()

/** An entry as a line of JSON. */
export const jsonLine = (entry: AccessEntry): string => {
  const { bytes, isSession, keyIdSuffix, method, milliseconds, path, remoteAddress, requestId, status, time } = entry
  return (
    `{"time":"${isoTime(time)}","requestId":"${requestId}"` +
    (method === undefined ? "" : `,"method":${quoted(method)}`) +
    (path === undefined ? "" : `,"path":${quoted(path)}`) +
    `,"status":${status}` +
    (milliseconds === undefined ? "" : `,"milliseconds":${rounded(milliseconds)}`) +
    (bytes === undefined ? "" : `,"bytes":${bytes}`) +
    (keyIdSuffix === undefined ? "" : `,"keyIdSuffix":${quoted(keyIdSuffix)}`) +
    (isSession ? `,"console":true` : "") +
    (remoteAddress === undefined ? "" : `,"remoteAddress":${quoted(remoteAddress)}`) +
    "}\n"
  )
}

const colourOf = (status: number) => (status >= 500 ? "red" : status >= 400 ? "yellow" : "green")

const unquoted = (text: string): string => quoted(text).slice(1, -1)

/** An entry as a line for a person at a terminal, in local time, with colours unless `NO_COLOR` is set. */
export const prettyLine = (entry: AccessEntry): string => {
  const {
    isSession,
    keyIdSuffix,
    method = "-",
    milliseconds,
    path = "-",
    remoteAddress,
    requestId,
    status,
    time
  } = entry
  return (
    [
      new Date(time).toTimeString().slice(0, 8),
      styleText(colourOf(status), String(status)),
      unquoted(method).padEnd(6),
      unquoted(path),
      milliseconds === undefined ? "" : `${milliseconds.toFixed(1)} ms`,
      keyIdSuffix === undefined ? "" : `key ...${unquoted(keyIdSuffix)}${isSession ? ", console" : ""}`,
      remoteAddress === undefined ? "" : unquoted(remoteAddress),
      requestId
    ]
      .filter((part) => part !== "")
      .join("  ") + "\n"
  )
}
