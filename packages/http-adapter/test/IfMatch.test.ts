import { assert, describe, it } from "@effect/vitest"
import { IfMatch, versionOf } from "@headgate/core"
import { type Ports, sampleCallOf } from "@headgate/samples"
import * as Effect from "effect/Effect"
import { CallOptions } from "../src/index.ts"
import { answering, type Seen, type Step } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"
import { baseUrl, runForAnHour } from "./support/timeline.ts"

const get = sampleCallOf("pipe.get")
const remove = sampleCallOf("pipe.delete")

/** A service whose pipe has this `ETag`, and which answers a delete with a step. */
const service = (etag: string | undefined, deleted: Step = { status: 200, body: remove.responseBody }) =>
  answering(({ method }: Seen): Step =>
    method === "DELETE"
      ? deleted
      : {
          status: 200,
          headers: etag === undefined ? {} : { etag },
          body: method === "HEAD" ? undefined : get.responseBody
        }
  )

const runOver = Effect.fnUntraced(function* <A, E>(over: ReturnType<typeof service>, call: Effect.Effect<A, E, Ports>) {
  const exit = yield* runForAnHour(call, over)
  const { seen } = over
  return { exit, sent: seen.map(({ headers, method }) => [method, headers["if-match"]]) }
})

const conditionally = Effect.provideService(remove.call, IfMatch, 3)

describe("the version of a resource", () => {
  for (const [etag, version] of [
    ['"3"', 3],
    ['W/"3"', undefined],
    ['"abc"', undefined],
    ['"0"', undefined],
    [undefined, undefined]
  ] as const) {
    it.effect(`of the ETag ${etag} is ${version}`, () =>
      Effect.gen(function* () {
        const pipe = yield* get.call.pipe(Effect.provide(layerPorts({ baseUrl })), Effect.provide(service(etag).layer))
        assert.strictEqual(versionOf(Object(pipe)), version)
      })
    )
  }
})

describe("IfMatch", () => {
  it.effect("is sent at once after an answer with a version", () =>
    Effect.gen(function* () {
      const { exit, sent } = yield* runOver(service('"3"'), Effect.andThen(get.call, conditionally))
      assert.isTrue(exit._tag === "Success")
      assert.deepStrictEqual(sent, [
        ["GET", undefined],
        ["DELETE", '"3"']
      ])
    })
  )

  it.effect("asks for the version first where no answer had one, once", () =>
    Effect.gen(function* () {
      const { sent } = yield* runOver(service('"3"'), Effect.andThen(conditionally, conditionally))
      assert.deepStrictEqual(sent, [
        ["HEAD", undefined],
        ["DELETE", '"3"'],
        ["DELETE", '"3"']
      ])
    })
  )

  it.effect("is not sent to a service without versions: the call fails", () =>
    Effect.gen(function* () {
      const { exit, sent } = yield* runOver(service(undefined), Effect.flip(conditionally))
      assert.deepStrictEqual(sent, [["HEAD", undefined]])
      assert.isTrue(exit._tag === "Success" && exit.value._tag === "InvalidRequest")
      assert.include(JSON.stringify(exit), "ifMatch: Expected none: the service tells no versions")
    })
  )

  for (const [what, deleted, attempts] of [
    ["a lost answer", "reset", 1],
    ["a 500", { status: 500 }, 1],
    ["a 503", { status: 503 }, 1],
    ["a 412", { status: 412 }, 1],
    ["a 503 with Retry-After", { status: 503, headers: { "retry-after": "1" } }, 3],
    ["a 429", { status: 429 }, 3]
  ] as const) {
    it.effect(`is sent ${attempts} times after ${what}, whatever retryCreates says`, () =>
      Effect.gen(function* () {
        const call = Effect.provideService(conditionally, CallOptions, { retryCreates: true })
        const { exit, sent } = yield* runOver(service('"3"', deleted), Effect.flip(call))
        assert.lengthOf(sent.slice(1), attempts)
        assert.isTrue(exit._tag === "Success" && exit.value.attempts === attempts)
      })
    )
  }

  it.effect("does not concern a read", () =>
    Effect.gen(function* () {
      const { sent } = yield* runOver(service(undefined), Effect.provideService(get.call, IfMatch, 3))
      assert.deepStrictEqual(sent, [["GET", undefined]])
    })
  )
})
