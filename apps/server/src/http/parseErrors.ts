import type { ManagementErrorBody } from "@headgate/http-contract"
import * as Predicate from "effect/Predicate"
import { randomUUID } from "node:crypto"
import type { Server } from "node:http"
import { Socket } from "node:net"
import { httpOptions } from "./Limits.ts"
import type { ParseError } from "./RequestLog.ts"

interface Complaint {
  readonly status: number
  readonly reason: string
  readonly message: string
}

const complaints: Readonly<Record<string, Complaint>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "Request Header Fields Too Large",
    message: `the head of the request is larger than ${httpOptions.maxHeaderSize} bytes`
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: "Request Timeout", message: "the request took too long to arrive" }
}

const unreadable: Complaint = { status: 400, reason: "Bad Request", message: "this is no HTTP request" }

const answer = (requestId: string, { message, reason, status }: Complaint): string => {
  const body: ManagementErrorBody = { status, error: `BAD_REQUEST: ${message}`, requestId }
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${reason}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    "connection: close",
    "",
    text
  ].join("\r\n")
}

/** Whether the headers of the request were parsed, and only its body is missing: the error boundary logs it. */
const isRequest = (socket: unknown): boolean =>
  // Node's name for the response in flight on a socket.
  Predicate.hasProperty(socket, "_httpMessage") && Predicate.isNotNullish(socket["_httpMessage"])

/**
 * Answers bytes that are no HTTP request in the error shape of the management API, since the API is unknown; Node would
 * close the connection with an empty body. Calls the observers.
 */
export const answerParseErrors = <S extends Server>(
  server: S,
  observers: ReadonlyArray<(unread: ParseError) => void> = []
): S => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const complaint = complaints[error.code ?? ""] ?? unreadable
    const requestId = randomUUID()
    // A closed socket has no remote address.
    const remoteAddress = socket instanceof Socket ? socket.remoteAddress : undefined
    const unread = isRequest(socket) ? undefined : { requestId, status: complaint.status, remoteAddress }
    socket.end(answer(requestId, complaint))
    if (unread !== undefined) for (const observer of observers) observer(unread)
  })
  // An unknown `Expect` header is ignored.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response))
  return server
}
