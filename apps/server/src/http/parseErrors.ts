import { type ErrorCode, errorStatuses, type ManagementErrorBody } from "@headgate/http-contract"
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import { randomUUID } from "node:crypto"
import { type Server, STATUS_CODES } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { httpOptions } from "./Limits.ts"
import type { ParseError } from "./RequestLog.ts"

interface Complaint {
  readonly code: ErrorCode
  readonly message: string
  readonly headers?: ReadonlyArray<string>
}

const complaints: Readonly<Record<string, Complaint>> = {
  HPE_HEADER_OVERFLOW: {
    code: "HEADERS_TOO_LARGE",
    message: `the head of the request is larger than ${httpOptions.maxHeaderSize} bytes`
  },
  ERR_HTTP_REQUEST_TIMEOUT: { code: "REQUEST_TIMEOUT", message: "the request took too long to arrive" }
}

const unreadable: Complaint = { code: "BAD_REQUEST", message: "this is no HTTP request" }

const connect: Complaint = {
  code: "METHOD_NOT_ALLOWED",
  message: "this server is no proxy",
  headers: ["allow: "]
}

const answer = (requestId: string, { code, headers = [], message }: Complaint): string => {
  const status = errorStatuses[code]
  const body: ManagementErrorBody = { status, error: `${code}: ${message}`, requestId }
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    ...headers,
    "connection: close",
    "",
    text
  ].join("\r\n")
}

type ParseErrorObserver = (unread: ParseError) => void

/**
 * How long a connection stays open after its last answer, at most, for what the client still sends. If the server closed a
 * connection with unread bytes, the system would reset it, and a client that writes before it reads would lose the answer.
 */
const lingering = Duration.seconds(2)

/** Answers and closes a connection, and calls the observers. */
const end = (socket: Duplex, complaint: Complaint, observers: ReadonlyArray<ParseErrorObserver>) => {
  const requestId = randomUUID()
  // A closed socket has no remote address.
  const remoteAddress = socket instanceof Socket ? socket.remoteAddress : undefined
  socket.end(answer(requestId, complaint))
  const timer = setTimeout(() => socket.destroy(), Duration.toMillis(lingering))
  socket.once("close", () => clearTimeout(timer))
  for (const observer of observers) observer({ requestId, status: errorStatuses[complaint.code], remoteAddress })
}

/** Whether the headers of the request were parsed, and only its body is missing: the error boundary logs it. */
const isRequest = (socket: unknown): boolean =>
  // Node's name for the response in flight on a socket.
  Predicate.hasProperty(socket, "_httpMessage") && Predicate.isNotNullish(socket["_httpMessage"])

/**
 * Answers bytes that are no HTTP request in the error shape of the management API, since the API is unknown; Node would
 * close the connection with an empty body. The same for CONNECT, which Node hands to no request handler. Calls the observers.
 */
export const answerParseErrors = <S extends Server>(
  server: S,
  observers: ReadonlyArray<ParseErrorObserver> = []
): S => {
  const ended = new WeakSet<Duplex>()
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // The parser reports each piece of what still arrives. It is discarded.
    if (ended.has(socket) && error.code?.startsWith("HPE_") === true) return
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const complaint = complaints[error.code ?? ""] ?? unreadable
    end(socket, complaint, isRequest(socket) ? [] : observers)
    ended.add(socket)
  })
  // Without a listener Node closes the connection without an answer.
  server.on("connect", (_request, socket) => {
    // Node handles neither errors nor timeouts of this socket any more.
    socket.on("error", () => socket.destroy())
    socket.on("finish", () => socket.destroy())
    end(socket, connect, observers)
  })
  // An unknown `Expect` header is ignored.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response))
  return server
}
