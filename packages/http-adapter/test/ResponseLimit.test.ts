import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fetchTransport } from "../src/ports.ts"
import { serve } from "./support/FaultServer.ts"
import { faults } from "./support/badAnswers.ts"
import { clientNamed, everyClient } from "./support/clients.ts"
import { layerPorts } from "./support/ports.ts"
import { get } from "./support/timeline.ts"

const size = Buffer.byteLength(JSON.stringify(get.responseBody))

describe("maxResponseBytes", () => {
  for (const [name, client] of everyClient) {
    for (const answer of ["a good answer", "a good answer in chunks"] as const) {
      const readWith = (maxResponseBytes: number) =>
        Effect.gen(function* () {
          const { baseUrl } = yield* serve((_, response) =>
            faults[answer](response, { good: get.responseBody, nth: 1 })
          )
          return yield* get.call.pipe(Effect.provide(layerPorts({ baseUrl, maxResponseBytes })), Effect.provide(client))
        })

      it.live(`over ${name}, ${answer} of as many bytes is read`, () => readWith(size))

      it.live(`over ${name}, ${answer} of one more is not`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(readWith(size - 1))
          assert.deepStrictEqual([error._tag, error.status, error.attempts], ["UnexpectedResponse", 200, 1])
          assert.strictEqual(error.message, `the answer is larger than ${size - 1} bytes`)
        })
      )
    }
  }

  for (const name of ["fetch", "undici"] as const) {
    it.live(`is 64 MiB by default, over ${name}`, () =>
      Effect.gen(function* () {
        const { aborted, baseUrl } = yield* serve((_, response) =>
          faults["an endless flood"](response, { good: null, nth: 1 })
        )
        const error = yield* get.call.pipe(
          Effect.provide(layerPorts({ baseUrl })),
          Effect.provide(clientNamed(name)),
          Effect.flip
        )
        assert.strictEqual(error.message, "the answer is larger than 64 MiB")
        yield* Effect.sleep("5 millis").pipe(Effect.repeat({ until: () => aborted() === 1, times: 400 }))
        assert.strictEqual(aborted(), 1)
      })
    )
  }
})

describe("the limit over a fetch of the caller's own", () => {
  const lengths = { "its size before it was decoded": "5", "a size that is no number": "5, 5" }
  for (const [what, length] of Object.entries(lengths)) {
    it.effect(`holds for an answer that declares ${what}`, () =>
      Effect.gen(function* () {
        const answer = () => Promise.resolve(new Response("x".repeat(1001), { headers: { "content-length": length } }))
        const send = fetchTransport(answer)
        const failure = yield* Effect.flip(send({ method: "GET", url: "https://api.test/v1", headers: {} }, 1000))
        assert.deepStrictEqual(failure, { _tag: "TooLarge", status: 200 })
      })
    )
  }
})

describe("a deep answer", () => {
  const readDepth = (depth: number) =>
    Effect.gen(function* () {
      const deep = JSON.stringify(get.responseBody).replace(
        '"result":{',
        `"result":{"deep":${"[".repeat(depth)}${"]".repeat(depth)},`
      )
      const { baseUrl } = yield* serve((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(deep)
      )
      return yield* get.call.pipe(Effect.provide(layerPorts({ baseUrl })), Effect.provide(clientNamed("fetch")))
    })

  it.live("is read to 500 levels", () => readDepth(498))

  it.live("is not parsed below", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readDepth(499))
      assert.deepStrictEqual([error._tag, error.status], ["UnexpectedResponse", 200])
      assert.include(error.message, "Expected JSON nested at most 500 levels deep")
    })
  )
})
