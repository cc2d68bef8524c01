import { assert, describe, it } from "@effect/vitest"
import { type ConnectionError, Pipes } from "@headgate/core"
import { sampleCallOf, samples } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  connectionCause,
  type ConnectionOptions,
  HttpAdapter,
  ReceivedResponse,
  type ResponseInfo
} from "../src/index.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { management } from "./support/ports.ts"
import { baseUrl } from "./support/timeline.ts"

const read = Pipes.use((pipes) => pipes.get(samples.pipe.get.params))
const body = sampleCallOf("pipe.get").responseBody

const over = (steps: ReadonlyArray<Step>, options: Partial<ConnectionOptions> = {}) =>
  HttpAdapter.layerManagement({ baseUrl, maxRetries: 0, ...options, ...management }).pipe(
    Layer.provide(scripted(...steps).layer)
  )

describe("ReceivedResponse", () => {
  it.effect("has the status and the headers of the attempt that succeeded", () =>
    Effect.gen(function* () {
      const received = MutableRef.make<ResponseInfo | undefined>(undefined)
      const steps = [
        { status: 503, headers: { "x-nth": "1", "retry-after": "0" } },
        { status: 200, headers: { "x-nth": "2" }, body }
      ]
      const fiber = yield* read.pipe(
        Effect.provideService(ReceivedResponse, received),
        Effect.provide(over(steps, { maxRetries: 1 })),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.strictEqual(MutableRef.get(received)?.status, 200)
      assert.strictEqual(MutableRef.get(received)?.headers["x-nth"], "2")
    })
  )

  it.effect("stays empty when the call fails", () =>
    Effect.gen(function* () {
      const received = MutableRef.make<ResponseInfo | undefined>(undefined)
      yield* read.pipe(
        Effect.provideService(ReceivedResponse, received),
        Effect.provide(over([{ status: 403 }])),
        Effect.flip
      )
      assert.isUndefined(MutableRef.get(received))
    })
  )
})

describe("connectionCause", () => {
  const failure = Effect.fnUntraced(function* (cause: Error) {
    const error = yield* Effect.flip(read).pipe(Effect.provide(over([{ cause }])))
    assert.strictEqual(error._tag, "ConnectionError")
    // Asserted above; `assert` does not narrow.
    return connectionCause(error as ConnectionError)
  })

  it.effect("has the innermost message and code of the runtime", () =>
    Effect.gen(function* () {
      const socket = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
      const cause = yield* failure(new TypeError("fetch failed", { cause: socket }))
      assert.deepStrictEqual([cause?.message, cause?.code], ["read ECONNRESET", "ECONNRESET"])
      assert.notStrictEqual<unknown>(cause, socket)
    })
  )

  it.effect("holds no credential and nothing else of the error", () =>
    Effect.gen(function* () {
      const secret = Redacted.value(management.keySecret)
      const request = { headers: { authorization: `Basic ${secret}` } }
      const cause = yield* failure(Object.assign(new Error(`lost while sending ${secret}`), { code: secret, request }))
      assert.notInclude(String(cause?.message), secret)
      assert.deepStrictEqual(Object.keys(cause ?? {}), [])
    })
  )

  it.effect("is absent when the circuit breaker is open", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        yield* Effect.flip(read)
        const error = yield* Effect.flip(read)
        assert.strictEqual(error.attempts, 0)
        assert.isUndefined(error._tag === "ConnectionError" ? connectionCause(error) : error)
      }).pipe(Effect.provide(over([{ status: 500 }], { circuitBreaker: { failures: 1 } })))
    })
  )
})
