import { assert, describe, it } from "@effect/vitest"
import { fieldIssues } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { EmptyManagementEnvelope, managementEnvelope, observabilityEnvelope } from "../src/Envelope.ts"
import { requestId } from "./documents.ts"

const Result = Schema.Struct({ name: Schema.String })
const Management = managementEnvelope(Result)
const Observability = observabilityEnvelope(Schema.Array(Result))

const refusedPaths = Effect.fnUntraced(function* (schema: Schema.ConstraintDecoder<unknown>, body: unknown) {
  const error = yield* Effect.flip(Schema.decodeUnknownEffect(schema)(body, { errors: "all" }))
  return fieldIssues(error).map(({ path }) => path)
})

describe("the envelope of the management API", () => {
  it.effect("is status, requestId and result, and keeps what it does not know", () =>
    Effect.gen(function* () {
      const body = { status: 200, requestId, result: { name: "a" }, warnings: ["beta"] }
      const envelope = yield* Schema.decodeUnknownEffect(Management)(body)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Management)(envelope), body)
    })
  )

  it.effect("names what is wrong by path, inside the result too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refusedPaths(Management, {}), ["status", "requestId", "result"])
      const body = { status: "200", requestId: "7", result: { name: 1 } }
      assert.deepStrictEqual(yield* refusedPaths(Management, body), ["status", "requestId", "result.name"])
    })
  )

  it.effect("has no result for an operation without one", () =>
    Effect.gen(function* () {
      const body = { status: 200, requestId }
      assert.deepStrictEqual<unknown>(yield* Schema.decodeUnknownEffect(EmptyManagementEnvelope)(body), body)
      assert.deepStrictEqual(yield* refusedPaths(EmptyManagementEnvelope, {}), ["status", "requestId"])
    })
  )
})

describe("the envelope of the observability API", () => {
  it.effect("is data, and keeps what it does not know", () =>
    Effect.gen(function* () {
      const body = { data: [{ name: "a" }], next: null }
      const envelope = yield* Schema.decodeUnknownEffect(Observability)(body)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Observability)(envelope), body)
      assert.deepStrictEqual(yield* refusedPaths(Observability, {}), ["data"])
      assert.deepStrictEqual(yield* refusedPaths(Observability, { data: [{}] }), ["data[0].name"])
    })
  )
})
