import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { type PostgresOptions, PostgresSource } from "../src/index.ts"
import { optionsFor } from "./support/optionsFor.ts"

/** A server that accepts connections and answers each with `answer`, or never. */
const listen = Effect.fnUntraced(function* (answer?: Uint8Array) {
  const [accepted, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    Effect.runSync(Deferred.succeed(accepted, undefined))
    socket.on("error", () => undefined)
    socket.on("close", () => Effect.runSync(Deferred.succeed(closed, undefined)))
    socket.resume()
    if (answer !== undefined) socket.end(answer)
  }).listen(0, "127.0.0.1")
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
  )
  yield* Effect.promise(() => once(server, "listening"))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  return { accepted, closed, port: address.port }
})

const listenSilently = listen()

const sourceAt = (port: number, more: Partial<PostgresOptions> = {}) =>
  PostgresSource.make(optionsFor({ socket: "127.0.0.1", port, name: "any" }, ["t"], more))

// The clock of these tests stands: what they wait for does not wait for a timeout.
describe("a server that never answers", () => {
  for (const encryption of ["with", "without"]) {
    it.effect(`holds up no interruption, ${encryption} TLS`, () =>
      Effect.gen(function* () {
        const { accepted, closed, port } = yield* listenSilently
        const source = sourceAt(port, encryption === "with" ? { tls: { isVerified: true } } : {})
        const fiber = yield* Effect.forkChild(source.identity)
        yield* Deferred.await(accepted)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(closed)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("is a SourceError after 15 seconds, and its connection is closed", () =>
    Effect.gen(function* () {
      const { accepted, closed, port } = yield* listenSilently
      const fiber = yield* Effect.forkChild(Effect.flip(sourceAt(port).identity))
      yield* Deferred.await(accepted)
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).message, "the source Postgres: no answer within 15s")
      yield* Deferred.await(closed)
    }).pipe(Effect.scoped)
  )

  it.effect("has not answered, and one that is starting has", () =>
    Effect.gen(function* () {
      const fields = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
      const length = Buffer.alloc(4)
      length.writeInt32BE(4 + fields.length)
      const starting = yield* listen(Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]))
      const started = yield* Effect.flip(sourceAt(starting.port).identity)
      assert.deepInclude(started, {
        message: "the source Postgres: the database system is starting up",
        answered: true
      })
      const { answered, message } = yield* Effect.flip(sourceAt(1).identity)
      assert.include(message, "ECONNREFUSED")
      assert.isUndefined(answered)
    }).pipe(Effect.scoped)
  )

  it.effect("may be a name that nobody resolves", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(sourceAt(1, { resolve: () => Effect.never }).identity))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).message, "the source Postgres: no answer within 15s")
    })
  )
})
