import type { ManagementErrorBody } from "@headgate/http-contract"
import * as Predicate from "effect/Predicate"
import { randomUUID } from "node:crypto"
import type { Server } from "node:http"
import { Socket } from "node:net"
import { httpOptions } from "./Limits.ts"
import type { Unread } from "./RequestLog.ts"

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

/** Whether the socket's request did arrive, and is lacking only its body: what becomes of it, the edge tells. */
const isRequest = (socket: unknown): boolean =>
  // Node's own name for the answer under way on a socket.
  Predicate.hasProperty(socket, "_httpMessage") && Predicate.isNotNullish(socket["_httpMessage"])

/**
 * Answers what does not get as far as a request: Node would close it with an empty body. Which API was meant is not
 * known then, so the shape is that of the management API. Those who watch are told.
 */
export const answerClientErrors = <S extends Server>(
  server: S,
  watchers: ReadonlyArray<(unread: Unread) => void> = []
): S => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const complaint = complaints[error.code ?? ""] ?? unreadable
    const requestId = randomUUID()
    // A socket that was closed meanwhile has forgotten whose it was.
    const remoteAddress = socket instanceof Socket ? socket.remoteAddress : undefined
    const unread = isRequest(socket) ? undefined : { requestId, status: complaint.status, remoteAddress }
    socket.end(answer(requestId, complaint))
    if (unread !== undefined) for (const watcher of watchers) watcher(unread)
  })
  // An expectation we do not know is no reason to refuse: it is a request like any other.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response))
  return server
}
