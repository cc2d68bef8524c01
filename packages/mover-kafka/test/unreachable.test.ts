import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { KafkaSource } from "../src/index.ts"

const optionsFor = (port: number) => ({
  brokers: [`127.0.0.1:${port}`],
  topics: ["orders"],
  start: "earliest" as const,
  isReadCommitted: false
})

/** A server that accepts connections, and lets each be told of. */
const listen = (accept: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => undefined)
        accept(socket)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
      return { port: address.port, server, sockets }
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )

/** A server that accepts connections and never answers. */
const listenSilently = Effect.gen(function* () {
  const [accepted, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const { port } = yield* listen((socket) => {
    Effect.runSync(Deferred.succeed(accepted, undefined))
    socket.on("close", () => Effect.runSync(Deferred.succeed(closed, undefined)))
    socket.resume()
  })
  return { accepted, closed, port }
})

describe("a broker that", () => {
  it.live("is not there is a SourceError that names it", () =>
    Effect.gen(function* () {
      const { port, server } = yield* listen(() => undefined)
      yield* Effect.promise(async () => {
        server.close()
        await once(server, "close")
      })
      const source = yield* KafkaSource.make(optionsFor(port))
      const error = yield* Effect.flip(source.identity)
      assert.strictEqual(error._tag, "SourceError")
      assert.include(error.message, `127.0.0.1:${port}`)
      assert.include(error.message, "ECONNREFUSED")
    }).pipe(Effect.scoped)
  )

  it.live("accepts and hangs up is a SourceError, and its credentials are not told", () =>
    Effect.gen(function* () {
      const { port } = yield* listen((socket) => socket.destroy())
      const login = { mechanism: "PLAIN", username: "alice", password: Redacted.make("the-password") } as const
      const source = yield* KafkaSource.make({ ...optionsFor(port), login })
      const error = yield* Effect.flip(source.partitions)
      assert.strictEqual(error._tag, "SourceError")
      assert.notMatch(error.message, /the-password|alice/u)
    }).pipe(Effect.scoped)
  )

  it.live("does not answer can be interrupted, and its connection is closed", () =>
    Effect.gen(function* () {
      const { accepted, closed, port } = yield* listenSilently
      const source = yield* KafkaSource.make(optionsFor(port))
      const fiber = yield* Effect.forkChild(source.identity)
      yield* Deferred.await(accepted)
      const [time] = yield* Effect.timed(Fiber.interrupt(fiber))
      // A request's own timeout is 30 seconds.
      assert.isTrue(Duration.isLessThan(time, Duration.seconds(10)))
      yield* Deferred.await(closed)
    }).pipe(Effect.scoped)
  )

  it.live("holds a connection loses it when the scope of the source closes", () =>
    Effect.gen(function* () {
      const { accepted, closed, port } = yield* listenSilently
      const scope = yield* Scope.make()
      const source = yield* Scope.provide(KafkaSource.make(optionsFor(port)), scope)
      const fiber = yield* Effect.forkChild(source.identity)
      yield* Deferred.await(accepted)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(closed)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
    }).pipe(Effect.scoped)
  )
})
