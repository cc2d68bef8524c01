import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createServer } from "node:tls"
import { generate } from "selfsigned"
import { KafkaSource } from "../src/index.ts"

/** A TLS server, and the server name that its first client sends. */
const listen = Effect.gen(function* () {
  const sent = yield* Deferred.make<string | false | null>()
  const { cert, private: key } = yield* Effect.promise(() =>
    generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" })
  )
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer({ cert, key }, (socket) => {
        Effect.runSync(Deferred.succeed(sent, socket.servername))
        socket.on("error", () => undefined)
        socket.end()
      }).listen(0)
      await once(server, "listening")
      return server
    }),
    (server) => Effect.sync(() => server.close())
  )
  const address = server.address()
  if (address === null || typeof address === "string") return yield* Effect.die("a TCP server has a port")
  return { ca: cert, port: address.port, sent }
})

describe("the server name of TLS", () => {
  for (const [host, name] of [
    ["localhost", "localhost"],
    ["127.0.0.1", false]
  ] as const) {
    it.live(`is ${name === false ? "not sent to an address" : "the host of the broker"}`, () =>
      Effect.gen(function* () {
        const { ca, port, sent } = yield* listen
        const brokers = [`${host}:${port}`]
        const source = yield* KafkaSource.make({
          brokers,
          topics: ["orders"],
          start: "earliest",
          isReadCommitted: false,
          tls: { ca }
        })
        // The server hangs up, or the certificate names another host.
        yield* Effect.flip(source.identity)
        assert.strictEqual(yield* Deferred.await(sent), name)
      }).pipe(Effect.scoped)
    )
  }
})
