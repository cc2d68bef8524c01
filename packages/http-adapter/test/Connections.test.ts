import { assert, describe, it } from "@effect/vitest"
import { sampleCallOf } from "@headgate/samples"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { connect } from "node:net"
import { UndiciHttpClient } from "../src/undici/index.ts"
import { testedCalls } from "./support/testedCalls.ts"
import { serve } from "./support/FaultServer.ts"
import { faults } from "./support/badAnswers.ts"
import { clientNamed, everyClient } from "./support/clients.ts"
import { layerPorts } from "./support/ports.ts"
import { create, get } from "./support/timeline.ts"

for (const [clientName, client] of everyClient) {
  describe(`over ${clientName}`, () => {
    for (const fault of ["a good answer", "a good answer in chunks", "HTML 429", "an empty 200"] as const) {
      it.live(`a connection is used again after ${fault}`, () =>
        Effect.gen(function* () {
          const server = yield* serve((_, response, nth) => faults[fault](response, { good: get.responseBody, nth }))
          yield* Effect.ignore(get.call).pipe(
            Effect.repeat({ times: 9 }),
            Effect.provide(layerPorts({ baseUrl: server.baseUrl, maxRetries: 0 })),
            Effect.provide(client)
          )
          assert.deepStrictEqual([server.requests(), server.connections()], [10, 1])
        })
      )
    }

    it.live("maxConcurrency is how many requests the server has at once", () =>
      Effect.gen(function* () {
        const server = yield* serve((_, response, nth) =>
          faults["a good answer in chunks"](response, { good: get.responseBody, nth })
        )
        yield* Effect.all(
          Array.from({ length: 12 }, () => get.call),
          { concurrency: "unbounded" }
        ).pipe(Effect.provide(layerPorts({ baseUrl: server.baseUrl, maxConcurrency: 3 })), Effect.provide(client))
        assert.deepStrictEqual([server.requests(), server.mostAtOnce()], [12, 3])
      })
    )

    for (const { call, name } of testedCalls) {
      it.live(`${name}: an interruption closes the socket of its request`, () =>
        Effect.gen(function* () {
          const arrived = yield* Deferred.make<void>()
          const server = yield* serve(() => Deferred.doneUnsafe(arrived, Effect.void))
          yield* Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(call)
            yield* Deferred.await(arrived)
            yield* Fiber.interrupt(fiber)
            yield* Effect.sleep("5 millis").pipe(Effect.repeat({ until: () => server.aborted() === 1, times: 400 }))
          }).pipe(Effect.provide(layerPorts({ baseUrl: server.baseUrl })), Effect.provide(client))
          assert.deepStrictEqual([server.requests(), server.aborted()], [1, 1])
        })
      )
    }
  })
}

describe("over undici", () => {
  it.live("a request that is interrupted before there is a connection is never sent", () =>
    Effect.gen(function* () {
      const server = yield* serve((_, response) =>
        faults["a good answer"](response, { good: get.responseBody, nth: 1 })
      )
      const { port } = new URL(server.baseUrl)
      const dialled = yield* Deferred.make<() => void>()
      // A first connection that comes about when the test says so.
      const slow = UndiciHttpClient.layerOptions({
        connect: (_, callback) => {
          const dial = () => {
            const socket = connect(Number(port), "127.0.0.1", () => callback(null, socket))
          }
          if (!Deferred.doneUnsafe(dialled, Effect.succeed(dial))) dial()
        }
      })
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(create.call)
        const dial = yield* Deferred.await(dialled)
        yield* Fiber.interrupt(fiber)
        dial()
        yield* Effect.sleep("5 millis").pipe(Effect.repeat({ until: () => server.connections() === 1, times: 400 }))
        yield* get.call
      }).pipe(Effect.provide(layerPorts({ baseUrl: server.baseUrl })), Effect.provide(slow))
      assert.deepStrictEqual(server.paths, [get.path])
    })
  )

  it.live("connections are closed with the layer", () =>
    Effect.gen(function* () {
      const server = yield* serve((_, response) =>
        faults["a good answer"](response, { good: get.responseBody, nth: 1 })
      )
      yield* get.call.pipe(
        Effect.provide(layerPorts({ baseUrl: server.baseUrl })),
        Effect.provide(UndiciHttpClient.layer)
      )
      yield* Effect.sleep("5 millis").pipe(Effect.repeat({ until: () => server.open() === 0, times: 400 }))
      assert.deepStrictEqual([server.connections(), server.open()], [1, 0])
    })
  )
})

describe("a 421, after which fetch of Node sends a request once more by itself", () => {
  for (const [client, requests] of [
    ["fetch", 2],
    ["undici", 1]
  ] as const) {
    for (const name of ["key.create", "pipe.get"] as const) {
      it.live(`${name} over ${client}: ${requests} requests, 1 attempt`, () =>
        Effect.gen(function* () {
          let received = 0
          const { baseUrl } = yield* serve((_, response) => {
            received++
            response.writeHead(421).end()
          })
          const error = yield* sampleCallOf(name).call.pipe(
            Effect.provide(layerPorts({ baseUrl })),
            Effect.provide(clientNamed(client)),
            Effect.flip
          )
          assert.deepStrictEqual(
            [error._tag, error.status, error.attempts, received],
            ["UnexpectedResponse", 421, 1, requests]
          )
        }).pipe(Effect.scoped)
      )
    }
  }
})
