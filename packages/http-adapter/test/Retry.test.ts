import { assert, describe, it } from "@effect/vitest"
import { sampleCallOf } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import type { CallOptions } from "../src/index.ts"
import { testedCalls } from "./support/testedCalls.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"
import { start } from "./support/started.ts"
import { baseUrl, create, get, ok, run } from "./support/timeline.ts"

describe("a refused connection", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:2"), { code: "ECONNREFUSED" })
  const rows: ReadonlyArray<readonly [string, "key.create" | "pipe.get", CallOptions, ReadonlyArray<Step>, string]> = [
    ["at once", "pipe.get", { maxRetries: 0 }, [], "; nothing was sent"],
    ["at once, of a create", "key.create", {}, [], "; nothing was sent"],
    ["each time", "pipe.get", { maxRetries: 2 }, [], "; the last attempt sent nothing"],
    ["after a lost answer", "pipe.get", { maxRetries: 1 }, ["reset"], "; the last attempt sent nothing"],
    [
      "after the lost answer to a create",
      "key.create",
      { maxRetries: 1, retryCreates: true },
      ["reset"],
      "; the last attempt sent nothing; it may have taken effect: look before you repeat it"
    ]
  ]
  for (const [when, name, call, before, says] of rows) {
    it.effect(`${when} says what was sent`, () =>
      Effect.gen(function* () {
        const { fiber } = yield* start(name, call, ...before, { cause: refused })
        yield* TestClock.adjust("1 minute")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error.message, `no answer from the service: connect ECONNREFUSED 127.0.0.1:2${says}`)
      })
    )
  }
})

describe("which failures are repeated", () => {
  for (const sample of testedCalls) {
    const repeats = [408, 429, 500, 502, 503, 504]
    for (const status of [...repeats, 400, 401, 403, 404, 405, 409, 412, 413, 415, 418, 422, 424, 501, 505]) {
      const attempts = !sample.isRepeatable ? (status === 429 ? 3 : 1) : repeats.includes(status) ? 3 : 1
      it.effect(`${sample.name}: ${status} is sent ${attempts} times`, () =>
        Effect.gen(function* () {
          const { error, sentAt } = yield* run(sample, { steps: [{ status }] })
          assert.strictEqual(sentAt.length, attempts)
          assert.strictEqual(error?.attempts, attempts)
          assert.strictEqual(error?.status, status)
        })
      )
    }

    const attempts = !sample.isRepeatable ? 1 : 3
    it.effect(`${sample.name}: a lost connection is sent ${attempts} times`, () =>
      Effect.gen(function* () {
        const { error, sentAt } = yield* run(sample, { steps: ["reset"] })
        assert.strictEqual(sentAt.length, attempts)
        assert.strictEqual(error?._tag, "ConnectionError")
        assert.strictEqual(error?.attempts, attempts)
        assert.strictEqual(error?.message.includes("it may have taken effect"), !sample.isRepeatable)
      })
    )

    it.effect(`${sample.name}: silence is sent ${attempts} times, a minute each`, () =>
      Effect.gen(function* () {
        const { error, seen, sentAt } = yield* run(sample, { steps: ["silence"] })
        assert.deepStrictEqual(sentAt, [0, 60_250, 120_750].slice(0, attempts))
        assert.strictEqual(error?._tag, "TimeoutError")
        assert.isTrue(seen.every(({ signal }) => signal.aborted))
      })
    )

    it.effect(`${sample.name}: 503 with Retry-After is repeated, also for a create`, () =>
      Effect.gen(function* () {
        const steps: ReadonlyArray<Step> = [{ status: 503, headers: { "retry-after": "3" } }, ok(sample)]
        const { exit, sentAt } = yield* run(sample, { steps })
        assert.isTrue(Exit.isSuccess(exit))
        assert.deepStrictEqual(sentAt, [0, 3000])
      })
    )

    it.effect(`${sample.name}: a good answer after a 429 is the answer`, () =>
      Effect.gen(function* () {
        const { exit, seen } = yield* run(sample, { steps: [{ status: 429 }, ok(sample)] })
        assert.isTrue(Exit.isSuccess(exit))
        const [first, second] = seen
        assert.deepStrictEqual([second?.method, second?.url, second?.body], [first?.method, first?.url, first?.body])
      })
    )

    it.effect(`${sample.name}: a good answer is one request`, () =>
      Effect.gen(function* () {
        const { sentAt } = yield* run(sample, { steps: [ok(sample)] })
        assert.deepStrictEqual(sentAt, [0])
      })
    )
  }

  it.effect("a 503 whose Retry-After cannot be read does not repeat a create", () =>
    Effect.gen(function* () {
      const { sentAt } = yield* run(create, { steps: [{ status: 503, headers: { "retry-after": "soon" } }] })
      assert.strictEqual(sentAt.length, 1)
    })
  )

  for (const step of [{ status: 500 }, "reset", "silence"] as const) {
    it.effect(`retryCreates repeats a create after ${JSON.stringify(step)}`, () =>
      Effect.gen(function* () {
        const { sentAt } = yield* run(create, { steps: [step], options: { retryCreates: true } })
        assert.strictEqual(sentAt.length, 3)
      })
    )
  }
})

describe("how often", () => {
  for (const maxRetries of [0, 1, 5]) {
    it.effect(`maxRetries ${maxRetries} of the layer`, () =>
      Effect.gen(function* () {
        const { error, sentAt } = yield* run(get, { steps: [{ status: 500 }], options: { maxRetries } })
        assert.strictEqual(sentAt.length, 1 + maxRetries)
        assert.strictEqual(error?.attempts, 1 + maxRetries)
      })
    )
    it.effect(`maxRetries ${maxRetries} of the call`, () =>
      Effect.gen(function* () {
        const { sentAt } = yield* run(get, {
          steps: [{ status: 500 }],
          options: { maxRetries: 3 },
          call: { maxRetries }
        })
        assert.strictEqual(sentAt.length, 1 + maxRetries)
      })
    )
  }
})

describe("the pause", () => {
  it.effect("doubles from half a second to 8 seconds", () =>
    Effect.gen(function* () {
      const { sentAt } = yield* run(get, { steps: [{ status: 500 }], call: { maxRetries: 7 }, draw: 1 })
      const pauses = sentAt.slice(1).map((at, i) => at - (sentAt[i] ?? 0))
      assert.deepStrictEqual(pauses, [500, 1000, 2000, 4000, 8000, 8000, 8000])
    })
  )

  it.effect("is drawn from the whole range, down to nothing", () =>
    Effect.gen(function* () {
      const { sentAt } = yield* run(get, { steps: [{ status: 500 }], draw: 0 })
      assert.deepStrictEqual(sentAt, [0, 0, 0])
    })
  )

  it.effect("differs from caller to caller", () =>
    Effect.gen(function* () {
      const sent = yield* Effect.forEach(["a", "b", "c"], (seed) =>
        Effect.gen(function* () {
          const service = scripted({ status: 500 })
          const fiber = yield* get.call.pipe(
            Effect.provide(layerPorts({ baseUrl })),
            Effect.provide(service.layer),
            Random.withSeed(seed),
            Effect.exit,
            Effect.forkChild
          )
          yield* TestClock.adjust("1 minute")
          yield* Fiber.join(fiber)
          return (service.seen[1]?.at ?? 0) - (service.seen[0]?.at ?? 0)
        })
      )
      assert.strictEqual(new Set(sent).size, 3)
      assert.isTrue(sent.every((pause) => pause >= 0 && pause < 500))
    })
  )
})

describe("a 404 to a delete that is repeated", () => {
  const remove = sampleCallOf("pipe.delete")
  const afterAll = "; an earlier attempt, whose answer was lost, may have deleted it"

  it.effect("says that an earlier attempt may have deleted the pipe", () =>
    Effect.gen(function* () {
      const { error } = yield* run(remove, { steps: ["reset", { status: 404 }] })
      assert.deepStrictEqual([error?._tag, error?.attempts], ["PipeNotFound", 2])
      assert.isTrue(error?.message.endsWith(afterAll), error?.message)
    })
  )

  it.effect("says nothing of the kind at first, nor of a read", () =>
    Effect.gen(function* () {
      const first = yield* run(remove, { steps: [{ status: 404 }] })
      const read = yield* run(get, { steps: ["reset", { status: 404 }] })
      assert.deepStrictEqual([first.error?._tag, read.error?._tag], ["PipeNotFound", "PipeNotFound"])
      assert.isFalse(`${first.error?.message} ${read.error?.message}`.includes("earlier attempt"))
    })
  )
})
