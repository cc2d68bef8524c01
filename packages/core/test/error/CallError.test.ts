import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  CallError,
  Conflict,
  ConnectionError,
  FailedDependency,
  Forbidden,
  InvalidRequest,
  PreconditionFailed,
  RateLimited,
  ServerError,
  TimeoutError,
  Unauthorized,
  UnexpectedResponse
} from "../../src/error/CallError.ts"
import { PipeNotFound } from "../../src/error/NotFound.ts"
import { organizationId, pipeId, serviceId } from "../ids.ts"

const call = {
  message: "what happened and what to do",
  status: 400,
  requestId: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  method: "GET",
  path: "/v1/organizations",
  attempts: 3
}

const errors: ReadonlyArray<CallError> = [
  new InvalidRequest({ ...call, issues: [{ path: "name", message: "Expected 1 to 255 characters" }] }),
  new Unauthorized(call),
  new Forbidden(call),
  new Conflict(call),
  new PreconditionFailed(call),
  new FailedDependency(call),
  new RateLimited({ ...call, retryAfter: Duration.seconds(7) }),
  new ServerError(call),
  new ConnectionError(call),
  new TimeoutError(call),
  new UnexpectedResponse(call)
]

describe("CallError", () => {
  it("has its reasons told apart by tag", () => {
    assert.strictEqual(new Set(errors.map(({ _tag }) => _tag)).size, CallError.members.length)
  })

  it.effect.each(errors.map((error) => ({ error, tag: error._tag })))(
    "$tag carries what the call was, and survives encoding",
    ({ error }) =>
      Effect.gen(function* () {
        assert.instanceOf(error, Error)
        assert.include(error, call)
        const encoded: unknown = JSON.parse(
          JSON.stringify(yield* Schema.encodeEffect(Schema.toCodecJson(CallError))(error))
        )
        const decoded = yield* Schema.decodeUnknownEffect(Schema.toCodecJson(CallError))(encoded)
        assert.strictEqual(decoded._tag, error._tag)
        assert.isTrue(Schema.toEquivalence(CallError)(decoded, error))
      })
  )

  it("needs only a message", () => {
    const error = new Conflict({ message: "delete one first" })
    assert.strictEqual(error.message, "delete one first")
    assert.notProperty(error, "status")
    assert.notProperty(error, "attempts")
  })

  it.effect("is caught by tag, PipeNotFound beside it", () =>
    Effect.gen(function* () {
      const address = { organizationId, serviceId, pipeId }
      const caught = yield* Effect.fail<CallError | PipeNotFound>(new PipeNotFound({ message: "gone", address })).pipe(
        Effect.catchTag("PipeNotFound", (error) => Effect.succeed(error.address))
      )
      assert.deepStrictEqual(caught, address)
    })
  )
})
