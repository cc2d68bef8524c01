import { assert, describe, it } from "@effect/vitest"
import { fieldIssues } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { errorStatuses, ManagementErrorBody, ObservabilityErrorBody } from "../src/index.ts"
import { requestId } from "./documents.ts"

const bodies = [
  {
    api: "management",
    schema: ManagementErrorBody,
    body: { status: 404, error: "NOT_FOUND: there is no such pipe", requestId }
  },
  { api: "observability", schema: ObservabilityErrorBody, body: { message: "name: Expected at most 1024 characters" } }
]

describe.each(bodies)("an error body of the $api API", ({ body, schema }) => {
  it.effect("is these fields, untagged, and keeps what it does not know", () =>
    Effect.gen(function* () {
      for (const document of [body, { ...body, details: [1] }]) {
        const error = yield* Schema.decodeUnknownEffect(schema)(document)
        assert.deepStrictEqual<unknown>(yield* Schema.encodeUnknownEffect(schema)(error), document)
      }
    })
  )

  it.effect("needs them all", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Schema.decodeUnknownEffect(schema)({}, { errors: "all" }))
      assert.deepStrictEqual(
        fieldIssues(error).map(({ path }) => path),
        Object.keys(body)
      )
    })
  )
})

describe("the error codes", () => {
  it("go with these statuses", () => {
    assert.deepStrictEqual(errorStatuses, {
      BAD_REQUEST: 400,
      UNAUTHORIZED: 401,
      FORBIDDEN: 403,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      REQUEST_TIMEOUT: 408,
      CONFLICT: 409,
      PRECONDITION_FAILED: 412,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      UNPROCESSABLE_ENTITY: 422,
      FAILED_DEPENDENCY: 424,
      TOO_MANY_REQUESTS: 429,
      HEADERS_TOO_LARGE: 431,
      INTERNAL_ERROR: 500,
      BAD_GATEWAY: 502,
      UNAVAILABLE: 503,
      GATEWAY_TIMEOUT: 504
    })
  })
})
