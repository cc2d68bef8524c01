// Lists with elements that do not decode.
import { ReceivedElements } from "../src/index.ts"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"
import { assert, describe, it } from "@effect/vitest"
import { type SampleCall, sampleCalls } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as MutableRef from "effect/MutableRef"

// A row of series has the columns of its database: no field of it is wrong.
const lists = sampleCalls.filter(({ name, success }) => Array.isArray(success) && !/chart\.series$/i.test(name))

const contentField = ({ operation }: SampleCall): string => (operation.api === "management" ? "result" : "data")

/** Calls an operation that gets this list, and collects what is logged. */
const listed = Effect.fnUntraced(function* (
  sample: SampleCall,
  elements: ReadonlyArray<unknown>,
  options: { readonly onUnreadable?: "warn" | "fail" } = {}
) {
  const logged: Array<unknown> = []
  const logger = Logger.make(({ logLevel, message }) => void logged.push([logLevel, message]))
  const received = MutableRef.make<ReadonlyArray<unknown>>([])
  const body = { ...sample.responseBody, [contentField(sample)]: elements }
  const result = yield* Effect.result(sample.call).pipe(
    Effect.provideService(ReceivedElements, received),
    Effect.provide(layerPorts({ baseUrl: "https://api.test", maxRetries: 0, ...options })),
    Effect.provide(Layer.merge(scripted({ status: 200, body }).layer, Logger.layer([logger])))
  )
  return { result, logged, received: MutableRef.get(received) }
})

const goodOf = ({ success }: SampleCall): object => {
  const [good] = Array.isArray(success) ? success : []
  return good
}

it("there is an operation that lists", () => {
  assert.isAbove(lists.length, 1)
})

describe("an element that does not decode", () => {
  for (const sample of lists) {
    const good = goodOf(sample)
    // An endpoint has no name, a status has an id alone, an event has a position, and the documents beside dashboards may lack theirs.
    const field = ["name", "description", "position"].find((one) => one in good) ?? "id"
    const isOptional = field === "description" || /^(service)?(savedSearch|webhook|alert)\.list$/i.test(sample.name)
    const expected = isOptional ? "Expected string | null" : "Expected string"
    const bad = { ...good, [field]: 7, mark: "SECRET" }

    it.effect(`${sample.name}: is left out, with one warning that counts them and names the first`, () =>
      Effect.gen(function* () {
        const { logged, received, result } = yield* listed(sample, [good, bad, good, null, bad])
        if (result._tag === "Failure") return assert.fail(result.failure.message)
        assert.lengthOf(result.success as ReadonlyArray<unknown>, 2)
        assert.deepStrictEqual(received, [good, bad, good, null, bad])
        const first = `${contentField(sample)}[1].${field}: ${expected}`
        const words = `${sample.operation.method} ${sample.path}: left out 3 of 5 elements, which cannot be read: ${first}`
        assert.deepStrictEqual(logged, [["Warn", [words]]])
      })
    )

    it.effect(`${sample.name}: fails the call with onUnreadable "fail"`, () =>
      Effect.gen(function* () {
        const { logged, result } = yield* listed(sample, [good, bad], { onUnreadable: "fail" })
        if (result._tag === "Success") return assert.fail("expected a failure")
        assert.strictEqual(result.failure._tag, "UnexpectedResponse")
        assert.include(result.failure.message, `${contentField(sample)}[1].${field}: `)
        assert.notInclude(result.failure.message, "SECRET")
        assert.deepStrictEqual(logged, [])
      })
    )

    it.effect(`${sample.name}: no warning without one`, () =>
      Effect.gen(function* () {
        const { logged, received, result } = yield* listed(sample, [good, good])
        assert.strictEqual(result._tag, "Success")
        assert.deepStrictEqual([logged, received], [[], [good, good]])
      })
    )

    it.effect(`${sample.name}: an answer that is no list fails the call`, () =>
      Effect.gen(function* () {
        const body = { ...sample.responseBody, [contentField(sample)]: { 0: good } }
        const error = yield* sample.call.pipe(
          Effect.provide(layerPorts({ baseUrl: "https://api.test", maxRetries: 0 })),
          Effect.provide(scripted({ status: 200, body }).layer),
          Effect.flip
        )
        assert.strictEqual(error._tag, "UnexpectedResponse")
      })
    )
  }
})
