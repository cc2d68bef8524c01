import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { maxPipelined, maxPipelinedOfConnection } from "./Limits.ts"
import type { HttpEffect } from "./RequestLog.ts"

/** How many requests wait for an earlier one of their connection. */
const makeWaiting = () => {
  const onConnection = new WeakMap<object, number>()
  let all = 0
  const add = (socket: object, count: number) => {
    all += count
    onConnection.set(socket, (onConnection.get(socket) ?? 0) + count)
  }
  return {
    isFull: (socket: object) => all >= maxPipelined || (onConnection.get(socket) ?? 0) >= maxPipelinedOfConnection,
    add
  }
}

/**
 * Answers the pipelined requests of a connection one after the other: the next one is handled when the response before it
 * was sent completely. A connection with too many waiting requests is closed.
 */
export const answerInOrder = (httpEffect: HttpEffect): HttpEffect => {
  const waiting = makeWaiting()

  const turn = (request: HttpServerRequest) =>
    Effect.callback<void>((resume) => {
      const incoming = NodeHttpServerRequest.toIncomingMessage(request)
      const response = NodeHttpServerRequest.toServerResponse(request)
      const { socket } = incoming
      if (waiting.isFull(socket)) {
        socket.destroy()
        return resume(Effect.interrupt)
      }
      waiting.add(socket, 1)
      const stop = () => {
        response.off("socket", begin)
        incoming.off("close", abandon)
        waiting.add(socket, -1)
      }
      const begin = () => {
        stop()
        resume(Effect.void)
      }
      // Node closes no response that has no socket yet.
      const abandon = () => {
        stop()
        resume(Effect.interrupt)
      }
      response.once("socket", begin)
      incoming.once("close", abandon)
      return Effect.sync(stop)
    })

  return Effect.flatMap(HttpServerRequest, (request) =>
    // Node gives a response its socket when the response before it was sent.
    NodeHttpServerRequest.toServerResponse(request).socket === null
      ? Effect.andThen(turn(request), httpEffect)
      : httpEffect
  )
}
