import { ApiKeyId, KeyNotFound, OrganizationId, RateLimited } from "@headgate/core"
import * as Duration from "effect/Duration"
import { createServer } from "node:net"
import { inspect } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorClasses, fromPortError, KeyNotFoundError } from "../src/error/errorClasses.ts"
import {
  type AnyHeadgateError,
  ConflictError,
  ConnectionError,
  createClient,
  ForbiddenError,
  type HeadgateClient,
  HeadgateError,
  InvalidRequestError,
  isHeadgateError,
  PipeNotFoundError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError
} from "../src/index.ts"
import { errorReply, json, noReply, type Reply, requestId, resetConnection, service } from "./support/Service.ts"
import { address, management, observability, organizationId, rejectionOf, secrets } from "./support/samples.ts"

const api = service()
let headgate: HeadgateClient

beforeAll(() => {
  headgate = createClient({
    management: management(api.url),
    observability: observability(api.url),
    maxRetries: 0,
    timeout: 2000
  })
})
afterAll(() => headgate.close())

const path = `/v1/organizations/${organizationId}/services/${address.serviceId}/dbpipes/${address.pipeId}`

const failure = async (reply: Reply): Promise<AnyHeadgateError> => {
  api.respondWith(reply)
  const error = await rejectionOf(headgate.pipes.get(address))
  assert.isTrue(isHeadgateError(error), String(error))
  // Asserted above; `assert` does not narrow.
  return error as AnyHeadgateError
}

const basic = Buffer.from(`key-id:${secrets.keySecret}`).toString("base64")

const assertShowsNoSecret = (error: unknown) => {
  if (!isHeadgateError(error)) throw error
  const shown = [
    inspect(error, { depth: null, showHidden: true, getters: true }),
    JSON.stringify(error),
    String(error),
    error.message,
    error.stack,
    inspect(error.cause, { depth: null, showHidden: true })
  ].join("\n")
  for (const secret of [...Object.values(secrets), basic]) assert.notInclude(shown, secret)
}

it("a lost connection has the error of the runtime as its cause, with its code", async () => {
  const freed = createServer()
  const port = await new Promise<number>((resolve) => {
    freed.listen(0, "127.0.0.1", () => {
      const at = freed.address()
      resolve(typeof at === "object" && at !== null ? at.port : 0)
    })
  })
  await new Promise((resolve) => freed.close(resolve))
  await using nowhere = createClient({ management: management(`http://127.0.0.1:${port}`), maxRetries: 0 })
  const error = await rejectionOf(nowhere.pipes.get(address))
  assertShowsNoSecret(error)
  const { cause } = error as ConnectionError
  assert.isTrue(error instanceof ConnectionError && cause instanceof Error)
  assert.strictEqual(Reflect.get(Object(cause), "code"), "ECONNREFUSED")
  assert.include(inspect(error), "ECONNREFUSED")
  assert.notInclude(JSON.stringify(error), "cause")
})

const echo = `you sent ${secrets.keySecret}, Basic ${basic}`

describe("each failure has an error class", () => {
  it.each<[string, Reply, new (fields: never) => AnyHeadgateError, AnyHeadgateError["_tag"], number | undefined]>([
    ["400", errorReply(400, `BAD_REQUEST: ${echo}`), InvalidRequestError, "InvalidRequest", 400],
    ["401", errorReply(401, `UNAUTHORIZED: ${echo}`), UnauthorizedError, "Unauthorized", 401],
    ["403", errorReply(403, `FORBIDDEN: ${echo}`), ForbiddenError, "Forbidden", 403],
    ["404", errorReply(404, `NOT_FOUND: ${echo}`), PipeNotFoundError, "PipeNotFound", 404],
    ["409", errorReply(409, `CONFLICT: ${echo}`), ConflictError, "Conflict", 409],
    ["429", errorReply(429, `TOO_MANY_REQUESTS: ${echo}`), RateLimitedError, "RateLimited", 429],
    ["503", errorReply(503, `UNAVAILABLE: ${echo}`), ServerError, "ServerError", 503],
    ["a redirect", errorReply(302, "", { location: "/elsewhere" }), UnexpectedResponseError, "UnexpectedResponse", 302],
    ["another shape", json(200, { secret: echo }), UnexpectedResponseError, "UnexpectedResponse", 200],
    ["a lost connection", resetConnection, ConnectionError, "ConnectionError", undefined],
    ["no response", noReply, TimeoutError, "TimeoutError", undefined]
  ])("%s", async (_, reply, expected, tag, status) => {
    const error = await failure(reply)
    assert.isTrue(error instanceof expected)
    assert.instanceOf(error, HeadgateError)
    assert.instanceOf(error, Error)
    assert.strictEqual(error._tag, tag)
    assert.strictEqual(error.name, expected.name)
    assert.strictEqual(error.status, status)
    assert.strictEqual(error.requestId, status === undefined ? undefined : requestId)
    assert.strictEqual(error.method, "GET")
    assert.strictEqual(error.path, path)
    assert.strictEqual(error.attempts, 1)
    assert.isAbove(error.message.length, 10)
    assertShowsNoSecret(error)
  })

  it("has a stack that leads to the call", async () => {
    const error = await failure(errorReply(403, "FORBIDDEN: no"))
    assert.match(error.stack ?? "", /^ForbiddenError: the credentials do not allow this/)
    assert.include(error.stack, "errors.test.ts")
  })

  it("has the fields of its class", async () => {
    const missing = await failure(errorReply(404, "NOT_FOUND: no such pipe"))
    assert.isTrue(missing._tag === "PipeNotFound" && missing.address.pipeId === address.pipeId)
    const limited = await failure(errorReply(429, "TOO_MANY_REQUESTS", { "retry-after": "7" }))
    assert.isTrue(limited._tag === "RateLimited" && limited.retryAfter === 7000)
    const unlimited = await failure(errorReply(429, "TOO_MANY_REQUESTS"))
    assert.notProperty(unlimited, "retryAfter")
  })

  it("shows no secret of a response", async () => {
    const body = { status: 200, requestId: 7, result: { keySecret: secrets.newKeySecret, key: secrets.newKeySecret } }
    api.respondWith(json(200, body))
    const error = await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }))
    assert.instanceOf(error, UnexpectedResponseError)
    assertShowsNoSecret(error)
  })

  it("shows no bearer token", async () => {
    api.respondWith(json(401, { message: `you sent ${secrets.token}` }))
    const error = await rejectionOf(headgate.dashboards.list())
    assert.include(String(error), "you sent <redacted>")
    assertShowsNoSecret(error)
  })

  it.each(Object.entries(errorClasses))("%s has its tag and the name of its class", (tag, ErrorClass) => {
    // Each class takes other fields; its name and tag need a message only.
    const error = new ErrorClass({ message: "no" } as never)
    assert.deepStrictEqual([error._tag, error.name, String(error)], [tag, ErrorClass.name, `${ErrorClass.name}: no`])
  })

  it("has the fields of the port's error as plain values", () => {
    const keyId = ApiKeyId.make(address.pipeId)
    const fields = { message: "no key", attempts: 2, organizationId: OrganizationId.make(organizationId), keyId }
    const missing = fromPortError(new KeyNotFound(fields))
    assert.instanceOf(missing, KeyNotFoundError)
    assert.deepStrictEqual({ ...missing, message: missing.message }, { ...fields, _tag: "KeyNotFound" })
    const limited = fromPortError(new RateLimited({ message: "slow down", retryAfter: Duration.seconds(7) }))
    assert.instanceOf(limited, RateLimitedError)
    assert.deepStrictEqual({ ...limited }, { retryAfter: 7000, _tag: "RateLimited" })
  })

  it("is JSON in a structured log", async () => {
    const error = await failure(errorReply(409, "CONFLICT: the pipe is busy"))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), {
      _tag: "Conflict",
      message: "the service cannot do this now: the pipe is busy",
      status: 409,
      requestId,
      method: "GET",
      path,
      attempts: 1
    })
  })
})

const tile = { x: 0, y: 0, w: 1, h: 1 }
const loop = () => {
  const looped: typeof tile & { self?: unknown } = { ...tile }
  looped.self = looped
  return looped
}
const deep = (levels: number) => {
  let deepest: object = {}
  for (let level = 0; level < levels; level++) deepest = { self: deepest }
  return { ...tile, ...deepest }
}

describe("a wrong request is not sent", () => {
  it.each<[string, (headgate: HeadgateClient) => PromiseLike<unknown>, ReadonlyArray<string>]>([
    ["an id", ({ pipes }) => pipes.get({ ...address, pipeId: "7" }), ["pipeId"]],
    [
      "every id",
      ({ pipes }) => pipes.delete({ organizationId: "", serviceId: "x", pipeId: "7" }),
      ["organizationId", "serviceId", "pipeId"]
    ],
    // @ts-expect-error a caller without a compiler can do this
    ["no address", ({ pipes }) => pipes.get(), ["organizationId", "serviceId", "pipeId"]],
    [
      "an organization and a field",
      // @ts-expect-error a caller without a compiler can do this
      ({ keys }) => keys.create({ organizationId: "acme", name: 7, ipAccessList: [{ source: 8 }] }),
      ["organizationId", "name", "ipAccessList[0].source"]
    ],
    [
      "an invalid Date",
      ({ keys }) => keys.create({ organizationId, name: "ci", expireAt: new Date(Number.NaN) }),
      ["expireAt"]
    ],
    [
      "a tile",
      // @ts-expect-error a caller without a compiler can do this
      ({ dashboards }) => dashboards.create({ name: "d", tiles: [{ x: 0, y: 0, w: "6", h: null }] }),
      ["tiles[0].w", "tiles[0].h"]
    ],
    ["an option", ({ dashboards }) => dashboards.list({ maxRetries: -1, timeout: 0 }), ["maxRetries", "timeout"]],
    // @ts-expect-error a caller without a compiler can do this
    ["a misspelt option", ({ pipes }) => pipes.get(address, { timeoutMs: 5 }), ["timeoutMs"]],
    // @ts-expect-error a caller without a compiler can do this
    ["no options", ({ pipes }) => pipes.get(address, null), [""]],
    // @ts-expect-error a caller without a compiler can do this
    ["no signal", ({ keys }) => keys.create({ organizationId, name: "ci" }, { signal: {} }), ["signal"]],
    [
      "a tile that contains itself",
      ({ dashboards }) => dashboards.create({ name: "d", tiles: [loop()] }),
      ["tiles[0].self"]
    ],
    [
      "a tile that is too deep",
      ({ dashboards }) => dashboards.create({ name: "d", tiles: [deep(100_000)] }),
      ["tiles[0].self.self.self.self.self.self"]
    ]
  ])("%s", async (_, call, paths) => {
    const error = await rejectionOf(call(headgate))
    if (!(error instanceof InvalidRequestError)) throw error
    assert.deepStrictEqual(
      error.issues.map(({ path }) => path),
      paths
    )
    for (const path of paths) assert.include(error.message, path)
    assert.strictEqual(error.attempts, 0)
    assert.lengthOf(api.received, 0)
  })
})

it("isHeadgateError rejects other errors", () => {
  assert.isFalse(isHeadgateError(new Error("x")))
  assert.isFalse(isHeadgateError({ _tag: "RateLimited" }))
})

it("isHeadgateError accepts the errors of another installed copy", async () => {
  // The built package is another copy than its sources.
  const other = await import("@headgate/client")
  const error = new other.RateLimitedError({ message: "slow down" })
  assert.isFalse(error instanceof RateLimitedError)
  assert.isTrue(isHeadgateError(error))
})

it("an error can be renamed without renaming its class", () => {
  const error = new ConflictError({ message: "busy" })
  assert.notInclude(Object.keys(error), "name")
  error.name = "DeployError"
  assert.strictEqual(String(error), "DeployError: busy")
  assert.strictEqual(new ConflictError({ message: "busy" }).name, "ConflictError")
  assert.strictEqual(new HeadgateError({ message: "busy" }).name, "HeadgateError")
})

it("an error can be constructed in a test", () => {
  const error = new RateLimitedError({ message: "slow down", retryAfter: 1000 })
  assert.strictEqual(String(error), "RateLimitedError: slow down")
  assert.deepStrictEqual({ ...error }, { retryAfter: 1000, _tag: "RateLimited" })
})
