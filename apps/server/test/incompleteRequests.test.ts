import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { connect } from "node:net"
import { listening } from "./support/listening.ts"
import { call, memoryServer, ServerUrl } from "./support/liveServer.ts"
import { openConnection } from "./support/rawConnection.ts"
import { as, firstPipe, pipePath, environment } from "./support/environment.ts"

const authorization = as("admin")

layer(memoryServer(environment), { excludeTestServices: true })("a request without its whole body", (it) => {
  it.effect("has no effect, though its operation takes no body", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      const head = [`DELETE ${pipePath(firstPipe)} HTTP/1.1`, "host: localhost", `authorization: ${authorization}`]
      yield* Effect.promise(async () => {
        for (const [length, body] of [
          ["content-length: 10", "ab"],
          ["transfer-encoding: chunked", "5\r\nab"],
          ["transfer-encoding: chunked", "not a chunk\r\n"]
        ]) {
          const connection = await openConnection(url)
          connection.send([...head, length, "", body].join("\r\n"))
          // An answer, or none: then the client hangs up.
          await Promise.race([connection.closed, new Promise((resolve) => setTimeout(resolve, 200))])
          connection.destroy()
        }
      })
      assert.strictEqual((yield* call(pipePath(firstPipe), { authorization })).status, 200)
    })
  )
})

it.live("a head that is too large is a 431 with a code of its own, in the shape of the management API", () =>
  Effect.gen(function* () {
    const url = yield* ServerUrl
    const text = yield* Effect.promise(async () => {
      const connection = await openConnection(url)
      connection.send(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(20_000)}\r\n\r\n`)
      return connection.closed
    })
    const [head = "", body = ""] = text.split("\r\n\r\n")
    assert.match(head, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
    const { error, status } = JSON.parse(body)
    assert.strictEqual(status, 431)
    assert.match(error, /^HEADERS_TOO_LARGE: /)
  }).pipe(Effect.provide(listening(Effect.succeed(HttpServerResponse.empty()))))
)

it.live("CONNECT is a 405 in the shape of the management API, and closes the connection", () =>
  Effect.gen(function* () {
    const url = yield* ServerUrl
    const text = yield* Effect.promise(async () => {
      const connection = await openConnection(url)
      connection.send("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n")
      return connection.closed
    })
    const [head = "", body = ""] = text.split("\r\n\r\n")
    assert.match(head, /^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    assert.match(head, /^allow: $/m)
    const { error, requestId, status } = JSON.parse(body)
    assert.deepStrictEqual([status, error], [405, "METHOD_NOT_ALLOWED: this server is no proxy"])
    assert.include(head, `x-request-id: ${requestId}`)
  }).pipe(Effect.provide(listening(Effect.succeed(HttpServerResponse.empty()))))
)

it.live("a client that sends all of its body before it reads gets the answer to a head that cannot be read", () =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(yield* ServerUrl)
    const text = yield* Effect.promise(async () => {
      const socket = connect({ host: hostname, port: Number(port) }).setEncoding("utf8")
      let text = ""
      const closed = new Promise((resolve) => socket.once("close", resolve))
      socket.on("error", () => undefined)
      socket.write("POST / HTTP/1.1\r\nhost: localhost\r\nx: a\u0001b\r\ncontent-length: 655360\r\n\r\n")
      for (let part = 0; part < 10; part += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        socket.write("a".repeat(65_536))
      }
      socket.on("data", (chunk) => (text += chunk))
      await closed
      return text
    })
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/)
  }).pipe(Effect.provide(listening(Effect.succeed(HttpServerResponse.empty()))))
)
