import { assert, describe, it } from "@effect/vitest"
import type { PortError } from "@headgate/core"
import { type OperationName, requestId, sampleCallOf, sampleCalls, samples } from "@headgate/samples"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import { testedCalls } from "./support/testedCalls.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { layerPorts, management, secrets } from "./support/ports.ts"

const answered = Effect.fnUntraced(function* (name: OperationName, step: Step) {
  return yield* sampleCallOf(name).call.pipe(
    Effect.provide(layerPorts({ baseUrl: "https://api.test", maxRetries: 0 })),
    Effect.provide(scripted(step).layer),
    Effect.flip
  )
})

const managementBody = (status: number, error: string) => ({ status, error, requestId })

describe("the tag of each status", () => {
  const tags: ReadonlyArray<readonly [number, PortError["_tag"]]> = [
    [302, "UnexpectedResponse"],
    [400, "InvalidRequest"],
    [401, "Unauthorized"],
    [403, "Forbidden"],
    [405, "UnexpectedResponse"],
    [408, "TimeoutError"],
    [409, "Conflict"],
    [413, "InvalidRequest"],
    [415, "InvalidRequest"],
    [418, "UnexpectedResponse"],
    [422, "InvalidRequest"],
    [412, "PreconditionFailed"],
    [424, "FailedDependency"],
    [429, "RateLimited"],
    [500, "ServerError"],
    [503, "ServerError"],
    [599, "ServerError"]
  ]
  for (const { name, operation, path } of testedCalls) {
    for (const [status, tag] of tags) {
      it.effect(`${name}: ${status} is ${tag}`, () =>
        Effect.gen(function* () {
          const error = yield* answered(name, { status, headers: { "x-request-id": "from-header" } })
          assert.strictEqual(error._tag, tag)
          const { attempts, method: sent, path: sentTo, requestId, status: seen } = error
          assert.deepStrictEqual(
            [seen, requestId, sent, sentTo, attempts],
            [status, "from-header", operation.method, path, 1]
          )
          assert.isTrue(error.message.length > 10 && !error.message.includes("undefined"))
        })
      )
    }
  }

  for (const { name, operation } of sampleCalls) {
    const tag = operation.notFound ?? "UnexpectedResponse"
    it.effect(`${name}: 404 is ${tag}`, () =>
      Effect.gen(function* () {
        const error = yield* answered(name, { status: 404, body: managementBody(404, "NOT_FOUND: gone fishing") })
        assert.strictEqual(error._tag, tag)
        assert.deepStrictEqual([error.status, error.requestId, error.attempts], [404, requestId, 1])
        assert.include(error.message, "gone fishing")
        if (error._tag === "PipeNotFound") assert.deepStrictEqual(error.address, samples.pipe.get.params)
      })
    )
  }
})

it.effect("407, which fetch reports as a failure, is not retried either", () =>
  Effect.gen(function* () {
    // What fetch of Node fails with.
    const service = scripted({ cause: new Error("proxy authentication required") })
    const error = yield* sampleCallOf("pipe.get").call.pipe(
      Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
      Effect.provide(service.layer),
      Effect.flip
    )
    assert.deepStrictEqual([error._tag, error.attempts, service.seen.length], ["ConnectionError", 1, 1])
    assert.include(error.message, "proxy authentication required; nothing was sent, since")
  })
)

describe("what the service says", () => {
  const words: ReadonlyArray<readonly [string, Step, string]> = [
    [
      "a management error, without its code",
      { status: 400, body: managementBody(400, "BAD_REQUEST: roles: Expected at least 1 role") },
      "the service refuses the request: roles: Expected at least 1 role"
    ],
    [
      "an observability error",
      { status: 400, body: { message: "Body validation failed: name: Required" } },
      "the service refuses the request: Body validation failed: name: Required"
    ],
    [
      "a proxy's problem document",
      { status: 400, body: { detail: "no route" } },
      "the service refuses the request: no route"
    ],
    [
      "what is lacking for a request",
      {
        status: 424,
        body: managementBody(424, "FAILED_DEPENDENCY: this server queries nothing: start it with --charts")
      },
      "the service lacks what this request needs: this server queries nothing: start it with --charts"
    ],
    [
      "nothing of what is lacking",
      { status: 424, body: "" },
      "the service lacks what this request needs; check that the database service is running"
    ],
    ["only a code", { status: 409, body: { error: "CONFLICT" } }, "the service cannot do this now"],
    ["no words", { status: 409, body: { error: { code: 7 }, message: "  " } }, "the service cannot do this now"],
    ["JSON of another kind", { status: 409, body: ["x"] }, "the service cannot do this now"],
    ["broken JSON", { status: 409, body: `{"error":"CONFL` }, "the service cannot do this now"],
    ["plain text", { status: 409, body: "Not\n\n now" }, "the service cannot do this now: Not now"],
    ["nothing", { status: 409, body: "" }, "the service cannot do this now"],
    [
      "a page",
      {
        status: 409,
        body: `<!doctype html><html><head><style>b { color: red }</style><title>Busy</title></head>\n<body><b>Come back</b></body></html>`
      },
      "the service cannot do this now: Busy Come back"
    ]
  ]
  for (const [title, step, message] of words) {
    it.effect(title, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* answered("key.create", step)).message, message)
      })
    )
  }

  it.effect("is cut to one line of 200 characters", () =>
    Effect.gen(function* () {
      const { message } = yield* answered("key.create", { status: 409, body: "long ".repeat(100_000) })
      assert.strictEqual(message.length, "the service cannot do this now: ".length + 200)
      assert.isTrue(message.endsWith("…"))
    })
  )

  it.effect("is shown up to 4,096 characters where it is JSON", () =>
    Effect.gen(function* () {
      const prefix = "the service cannot do this now: "
      const whole = "words ".repeat(682) + "end."
      const shown = yield* answered("key.create", { status: 409, body: { message: whole } })
      assert.strictEqual(shown.message, prefix + whole)
      for (const field of ["error", "message", "detail"]) {
        const { message } = yield* answered("key.create", { status: 409, body: { [field]: "long ".repeat(1000) } })
        assert.strictEqual(message.length, prefix.length + 4096)
        assert.isTrue(message.endsWith("…"))
      }
    })
  )

  const refusals: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string]>]> = [
    [
      "Body validation failed: name: Required; tiles.0.config.select.1.aggFn: Invalid enum value. Expected 'a' | 'b'",
      [
        ["name", "Required"],
        ["tiles[0].config.select[1].aggFn", "Invalid enum value. Expected 'a' | 'b'"]
      ]
    ],
    ["Body validation failed: Expected object, received string", [["", "Expected object, received string"]]],
    [
      "Body validation failed: name: Required; Params validation failed: id: Invalid ObjectId",
      [
        ["name", "Required"],
        ["id", "Invalid ObjectId"]
      ]
    ],
    [
      'Body validation failed: filters.0.variableName: Filter "Env" is no variable; set isVariableEnabled to true; tiles: Required',
      [
        ["filters[0].variableName", 'Filter "Env" is no variable; set isVariableEnabled to true'],
        ["tiles", "Required"]
      ]
    ],
    ["Could not find the following source IDs: a, b", []],
    ["roles: Expected at least 1 role; name: Expected text", []]
  ]
  for (const [message, issues] of refusals) {
    it.effect(`becomes the issues of the error: ${message}`, () =>
      Effect.gen(function* () {
        const error = yield* answered("dashboard.create", { status: 400, body: { message } })
        if (error._tag !== "InvalidRequest") return assert.fail(error._tag)
        assert.strictEqual(error.message, `the service refuses the request: ${message}`)
        assert.deepStrictEqual<unknown>(
          error.issues.map(({ message, path }) => [path, message]),
          issues
        )
      })
    )
  }

  it.effect("shows no credentials in an issue", () =>
    Effect.gen(function* () {
      const message = `Body validation failed: name: Required; ${secrets.token}: is not ${secrets.token}`
      const error = yield* answered("dashboard.create", { status: 400, body: { message } })
      assert.notInclude(JSON.stringify(error), secrets.token)
      assert.include(JSON.stringify(error), "is not <redacted>")
    })
  )

  it.effect("costs no time when it is a flood of half-open tags", () =>
    Effect.gen(function* () {
      for (const tag of ["<", "<script>"]) {
        const { message } = yield* answered("key.create", { status: 409, body: tag.repeat(500_000) })
        assert.isTrue(message.length < 300)
      }
    })
  )

  it.effect("prefers the body's request id to the header's", () =>
    Effect.gen(function* () {
      const headers = { "x-request-id": "from-header" }
      const fromBody = yield* answered("pipe.get", {
        status: 500,
        headers,
        body: managementBody(500, "INTERNAL_ERROR: x")
      })
      assert.strictEqual(fromBody.requestId, requestId)
      const fromHeader = yield* answered("pipe.get", { status: 500, headers, body: "<html>" })
      assert.strictEqual(fromHeader.requestId, "from-header")
      assert.isUndefined((yield* answered("pipe.get", { status: 500 })).requestId)
    })
  )

  it.effect("never shows the credentials that it echoes", () =>
    Effect.gen(function* () {
      const encoded = Buffer.from(`${management.keyId}:${secrets.keySecret}`).toString("base64")
      const echo = `bad credentials: Basic ${encoded}, that is ${secrets.keySecret}`
      const padding = "<i></i>".repeat(584)
      const bodies = [
        echo,
        { message: echo },
        { error: `UNAUTHORIZED: ${echo}` },
        `${padding}${echo}`,
        `${padding}${secrets.keySecret}`
      ]
      for (const body of [...bodies, `${"x".repeat(190)}${secrets.keySecret}`]) {
        const error = yield* answered("pipe.get", {
          status: 401,
          body,
          headers: { "x-request-id": `id-${secrets.keySecret}` }
        })
        const shown = `${error.message} ${error.requestId}`
        assert.isFalse(shown.includes("SECRET"), shown)
        assert.isFalse(shown.includes(encoded.slice(0, 8)), shown)
      }
    })
  )

  it.effect("gives RateLimited its own wish, uncapped, and tells it", () =>
    Effect.gen(function* () {
      const error = yield* answered("pipe.get", {
        status: 429,
        headers: { "retry-after": "3600" },
        body: { error: "TOO_MANY_REQUESTS" }
      })
      assert.strictEqual(error.message, "too many requests; try again in 1h")
      if (error._tag !== "RateLimited" || error.retryAfter === undefined) return assert.fail(error._tag)
      assert.strictEqual(Duration.toSeconds(error.retryAfter), 3600)
    })
  )

  it.effect("names where a redirect leads, without its query", () =>
    Effect.gen(function* () {
      const error = yield* answered("pipe.get", {
        status: 302,
        headers: { location: "https://elsewhere.test/login?token=abc" }
      })
      assert.strictEqual(
        error.message,
        "the service redirects to https://elsewhere.test, which is not followed: check the base URL"
      )
    })
  )
})

describe("403", () => {
  for (const { name, operation } of sampleCalls) {
    it.effect(`${name}: names what the credentials of its API have`, () =>
      Effect.gen(function* () {
        const { message } = yield* answered(name, { status: 403 })
        const hint =
          operation.api === "management"
            ? "check the key's roles, organization and IP access list"
            : "check the role of the token's owner and the IP access list"
        assert.strictEqual(message, `the credentials do not allow this; ${hint}`)
      })
    )
  }
})

describe("a client that fails on statuses of its own accord", () => {
  it.effect("still gives the error of the domain", () =>
    Effect.gen(function* () {
      const body = managementBody(403, "FORBIDDEN: not yours")
      const filtering = Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, HttpClient.filterStatusOk)
      )
      const error = yield* sampleCallOf("pipe.get").call.pipe(
        Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
        Effect.provide(filtering),
        Effect.provide(scripted({ status: 403, body }).layer),
        Effect.flip
      )
      assert.strictEqual(error._tag, "Forbidden")
      assert.include(error.message, "not yours")
    })
  )
})
