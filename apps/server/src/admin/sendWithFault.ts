import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import type { ChosenRule } from "./Faults.ts"

// A cast, because the server speaks HTTP/1.1 only.
const nodeResponse = (request: HttpServerRequest) => NodeHttpServerRequest.toServerResponse(request) as ServerResponse

const reset = (socket: Socket | null) => {
  // A TLS socket cannot send a TCP reset: it is closed without an alert.
  if (socket instanceof TLSSocket) socket.destroy()
  else socket?.resetAndDestroy()
}

/** Resets the connection. Nothing else writes to a destroyed response. */
const drop = Effect.map(HttpServerRequest, (request) => {
  const response = nodeResponse(request)
  reset(response.socket)
  response.destroy()
})

const bytesOf = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const answer = HttpServerResponse.toWeb(response, { context })
    return new Uint8Array(yield* Effect.promise(() => answer.arrayBuffer()))
  })

/** Sends the head of the complete response and the first bytes of its body, then closes the connection. */
const cut = Effect.fnUntraced(function* (answer: HttpServerResponse.HttpServerResponse, wanted: number | true) {
  const response = nodeResponse(yield* HttpServerRequest)
  const bytes = yield* bytesOf(answer)
  const whole = Math.max(1, bytes.length)
  const sent = bytes.subarray(0, Math.min(wanted === true ? Math.floor(whole / 2) : wanted, whole - 1))
  yield* Effect.callback<void>((resume) => {
    response.writeHead(answer.status, { ...answer.headers, "content-length": whole })
    response.flushHeaders()
    // Also called if the client closes the connection meanwhile.
    response.write(sent, () => resume(Effect.void))
  })
  response.socket?.destroySoon()
  response.destroy()
})

const unparsable = Effect.fnUntraced(function* (answer: HttpServerResponse.HttpServerResponse) {
  const bytes = yield* bytesOf(answer)
  const body = HttpBody.uint8Array(bytes.subarray(0, -1), answer.headers["content-type"])
  return HttpServerResponse.setBody(answer, body)
})

/**
 * Sends a response as its fault rule demands: dropped, truncated, malformed or unchanged. It runs after the journal is
 * complete, so that a client that sees a broken response finds its request there.
 */
export const sendWithFault = (rule: ChosenRule, answer: HttpServerResponse.HttpServerResponse) => {
  if (rule.drop !== undefined) return Effect.as(drop, answer)
  if (rule.truncate !== undefined) return Effect.as(cut(answer, rule.truncate), answer)
  return rule.malformed === true ? unparsable(answer) : Effect.succeed(answer)
}
