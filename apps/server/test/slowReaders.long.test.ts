import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { maxPipelined, maxPipelinedOfConnection, maxUnsentBytes } from "../src/http/Limits.ts"
import { listening } from "./support/listening.ts"
import { ServerUrl } from "./support/liveServer.ts"

const request = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"

/** Sends requests on a connection and does not read. */
const sendUnread = async (url: string, requests: string): Promise<Socket> => {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) })
  await new Promise<void>((resolve) => socket.once("connect", resolve))
  socket.pause()
  // A connection that is reset is closed.
  socket.on("error", () => undefined)
  await new Promise<void>((resolve) => socket.write(requests, () => resolve()))
  return socket
}

const bytesUntilClosed = async (socket: Socket): Promise<number> => {
  let bytes = 0
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length))
  socket.resume()
  await new Promise<void>((resolve) => socket.once("close", () => resolve()))
  return bytes
}

/** Answers that no buffer of a connection holds, and how many were begun. */
const countedAnswers = () => {
  const body = Buffer.alloc(16 * 1024 * 1024)
  let count = 0
  const answer = Effect.sync(() => {
    count++
    return HttpServerResponse.uint8Array(body)
  })
  return { answer, begun: () => count, body }
}

describe("clients that do not read", () => {
  it.live("are disconnected, the first one first, when too many bytes wait for them", () => {
    // More than the buffers of a connection in the kernel hold.
    const body = Buffer.alloc(maxUnsentBytes / 4)
    const answer = Effect.succeed(HttpServerResponse.uint8Array(body, { headers: { connection: "close" } }))
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const sockets: Array<Socket> = []
        for (let count = 0; count < 8; count++) {
          sockets.push(await sendUnread(url, request))
          await setTimeout(20)
        }
        const received = await Promise.all(sockets.map(bytesUntilClosed))
        const isWhole = received.map((bytes) => bytes > body.length)
        assert.deepStrictEqual([isWhole[0], isWhole[1], isWhole[6], isWhole[7]], [false, false, true, true])
      })
    }).pipe(Effect.provide(listening(answer)))
  })

  it.live("get no answer to a pipelined request before they have read the one before it", () => {
    const { answer, begun, body } = countedAnswers()
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const socket = await sendUnread(url, request.repeat(4) + request.replace("host", "connection: close\r\nhost"))
        await setTimeout(200)
        assert.strictEqual(begun(), 1)
        assert.isAbove(await bytesUntilClosed(socket), 5 * body.length)
        assert.strictEqual(begun(), 5)
      })
    }).pipe(Effect.provide(listening(answer)))
  })

  it.live("are disconnected when they have sent too many requests ahead", () => {
    const { answer, begun, body } = countedAnswers()
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const allowed = await sendUnread(url, request.repeat(1 + maxPipelinedOfConnection))
        const tooMany = await sendUnread(url, request.repeat(2 + maxPipelinedOfConnection))
        assert.isBelow(await bytesUntilClosed(tooMany), body.length)
        assert.strictEqual(begun(), 2)
        assert.isFalse(allowed.destroyed)
        // What waited is forgotten: together more requests wait than the process allows.
        const more = Math.ceil(maxPipelined / maxPipelinedOfConnection) + 1
        for (let count = 0; count < more; count++) {
          const socket = await sendUnread(url, request.repeat(1 + maxPipelinedOfConnection))
          await setTimeout(50)
          socket.destroy()
          await setTimeout(50)
        }
        const last = await sendUnread(url, request + request.replace("host", "connection: close\r\nhost"))
        assert.isAbove(await bytesUntilClosed(last), 2 * body.length)
        assert.strictEqual(begun(), 4 + more)
        allowed.destroy()
      })
    }).pipe(Effect.provide(listening(answer)))
  })
})
