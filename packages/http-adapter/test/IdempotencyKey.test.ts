import { assert, describe, it } from "@effect/vitest"
import { type Ports, sampleCallOf, sampleCalls } from "@headgate/samples"
import * as Effect from "effect/Effect"
import { IdempotencyKey } from "../src/index.ts"
import { answering, type Step } from "./support/ScriptedClient.ts"
import { baseUrl, runForAnHour } from "./support/timeline.ts"

const create = sampleCallOf("key.create")
const get = sampleCallOf("pipe.get")
const kept = { "idempotency-key-retention": "86400" }
const done: Step = { status: 200, body: create.responseBody, headers: kept }

/** A service that keeps keys or not, and answers creations by a script. */
const service = (keeps: boolean, ...steps: ReadonlyArray<Step>) => {
  const posts = [...steps]
  return answering(({ method }): Step => {
    const headers = keeps ? kept : {}
    if (method === "HEAD") return { status: 404, headers }
    return method === "GET" ? { status: 200, headers, body: get.responseBody } : (posts.shift() ?? done)
  })
}

const runOver = Effect.fnUntraced(function* <A, E>(over: ReturnType<typeof service>, call: Effect.Effect<A, E, Ports>) {
  const exit = yield* runForAnHour(call, over)
  const { seen } = over
  const keys = seen.filter(({ method }) => method === "POST").map(({ headers }) => headers["idempotency-key"])
  return { exit, keys, methods: seen.map(({ method }) => method), urls: seen.map(({ url }) => url) }
})

describe("the key of a creation", () => {
  for (const sample of sampleCalls) {
    const isCreation = sample.operation.method === "POST" && !sample.operation.isRepeatable
    it.effect(`${sample.name} ${isCreation ? "has one, a UUID" : "has none"}`, () =>
      Effect.gen(function* () {
        const answers = answering(() => ({ status: 200, body: sample.responseBody }))
        yield* runOver(answers, sample.call)
        const [key] = answers.seen.map(({ headers }) => headers["idempotency-key"])
        if (isCreation)
          assert.match(key ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
        else assert.isUndefined(key)
      })
    )
  }

  it.effect("is another one for each call, unless the caller has set it", () =>
    Effect.gen(function* () {
      const { keys } = yield* runOver(service(true), Effect.andThen(create.call, create.call))
      assert.strictEqual(new Set(keys).size, 2)
      const own = yield* runOver(service(true), Effect.provideService(create.call, IdempotencyKey, "job-7"))
      assert.deepStrictEqual(own.keys, ["job-7"])
    })
  )
})

describe("a creation whose answer was lost", () => {
  for (const [what, lost] of [
    ["a reset", "reset"],
    ["a timeout", "silence"],
    ["a 500", { status: 500 }],
    ["a 503", { status: 503 }]
  ] as const) {
    it.effect(`is repeated with its key after ${what}, if a HEAD of the base URL says that the key is honoured`, () =>
      Effect.gen(function* () {
        const { exit, keys, methods, urls } = yield* runOver(service(true, lost), create.call)
        assert.strictEqual(exit._tag, "Success")
        assert.deepStrictEqual(methods, ["POST", "HEAD", "POST"])
        assert.strictEqual(urls[1], `${baseUrl}/`)
        assert.strictEqual(keys[0], keys[1])
      })
    )

    it.effect(`is not repeated after ${what} if the service does not say so`, () =>
      Effect.gen(function* () {
        const { exit, methods } = yield* runOver(service(false, lost), Effect.flip(create.call))
        assert.deepStrictEqual(methods, ["POST", "HEAD"])
        assert.isTrue(exit._tag === "Success" && exit.value.attempts === 1)
        assert.include(JSON.stringify(exit), "it may have taken effect")
      })
    )
  }

  it.effect("is repeated without a HEAD if an earlier answer said so", () =>
    Effect.gen(function* () {
      const { methods } = yield* runOver(service(true, "reset"), Effect.andThen(get.call, create.call))
      assert.deepStrictEqual(methods, ["GET", "POST", "POST"])
    })
  )

  it.effect("is repeated while its first request is being answered", () =>
    Effect.gen(function* () {
      const inFlight: Step = { status: 409, headers: { ...kept, "retry-after": "1" } }
      const { exit, methods } = yield* runOver(service(true, "silence", inFlight), create.call)
      assert.strictEqual(exit._tag, "Success")
      assert.deepStrictEqual(methods, ["POST", "HEAD", "POST", "POST"])
    })
  )

  it.effect("a 409 for another reason, and a 422, are not repeated", () =>
    Effect.gen(function* () {
      for (const status of [409, 422]) {
        const { methods } = yield* runOver(service(true, { status }), Effect.flip(create.call))
        assert.deepStrictEqual(methods, ["POST"])
      }
    })
  )
})
