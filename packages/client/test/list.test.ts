import type { PipeAddress, PortError } from "@headgate/core"
import { neutral, pipeOperations } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { promisesOf } from "../src/promisesOf.ts"
import { makeRunner } from "../src/Runner.ts"
import { layerExecution } from "../src/testing/layerExecution.ts"
import {
  createClient,
  type Dashboard,
  InvalidRequestError,
  isHeadgateError,
  type List,
  type ObservabilityClient,
  type PipeAddress as PipeAddressInput,
  UnexpectedResponseError
} from "../src/index.ts"
import { json, service } from "./support/Service.ts"
import { address, observability, rejectionOf } from "./support/samples.ts"

const api = service()
const later = () => new Promise((resolve) => setTimeout(resolve, 50))

describe("a list", () => {
  let headgate: ObservabilityClient
  beforeEach(() => {
    headgate = createClient({ observability: observability(api.url), maxRetries: 0 })
  })
  afterEach(() => headgate.close())

  it("sends no request until it is awaited, so that no rejection is unhandled", async () => {
    const unheard: Array<unknown> = []
    const hear = (reason: unknown) => void unheard.push(reason)
    process.on("unhandledRejection", hear)
    api.respondWith(json(500, {}))
    const list = headgate.dashboards.list()
    const walk = list[Symbol.asyncIterator]()
    await later()
    process.off("unhandledRejection", hear)
    assert.deepStrictEqual(unheard, [])
    assert.lengthOf(api.received, 0)
    assert.isTrue(isHeadgateError(await rejectionOf(walk.next())))
    assert.lengthOf(api.received, 1)
  })

  it("is requested once, however often it is awaited", async () => {
    const dashboards = [{ id: "d1", name: "Errors" }]
    api.respondWith(json(200, { data: dashboards }))
    const list = headgate.dashboards.list()
    const walked: Array<Dashboard> = []
    for await (const dashboard of list) walked.push(dashboard)
    assert.deepStrictEqual<unknown>(walked, dashboards)
    assert.deepStrictEqual<unknown>(await Promise.all([list, list]), [dashboards, dashboards])
    assert.lengthOf(api.received, 1)
  })

  it("leaves out what cannot be read, and says so once on stderr", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
    const log = vi.spyOn(console, "log").mockImplementation(() => {})
    try {
      api.respondWith(json(200, { data: [{ id: "d1", name: "Errors" }, { id: "d2" }, { id: "d3", name: 7 }] }))
      assert.deepStrictEqual<unknown>(await headgate.dashboards.list(), [{ id: "d1", name: "Errors" }])
      assert.deepStrictEqual(warn.mock.calls, [
        [
          "@headgate/client: GET /api/v2/dashboards: left out 2 of 3 elements, which cannot be read: " +
            "data[1].name: Missing: it is required"
        ]
      ])
      assert.deepStrictEqual(log.mock.calls, [])
    } finally {
      warn.mockRestore()
      log.mockRestore()
    }
  })

  it("fails on what cannot be read, if asked to", async () => {
    api.respondWith(json(200, { data: [{ id: "d1", name: "Errors" }, { id: "d2" }] }))
    await using strict = createClient({ observability: observability(api.url), onUnreadable: "fail" })
    assert.instanceOf(await rejectionOf(strict.dashboards.list()), UnexpectedResponseError)
  })

  it("is a promise", async () => {
    const list = headgate.dashboards.list()
    assert.instanceOf(list, Promise)
    api.respondWith(json(500, {}))
    let isSettled = false
    const caught = list.catch(isHeadgateError).finally(() => {
      isSettled = true
    })
    assert.isTrue(await caught)
    assert.isTrue(isSettled)
  })
})

describe("a list with a request", () => {
  class Names extends Context.Service<
    Names,
    { readonly list: (address: PipeAddress) => Effect.Effect<ReadonlyArray<string>, PortError> }
  >()("test/Names") {}

  const received: Array<PipeAddress> = []
  const runner = makeRunner(
    layerExecution(Layer.succeed(Names, { list: (address) => Effect.sync(() => (received.push(address), ["orders"])) }))
  )
  const names = promisesOf<{ readonly list: (address: PipeAddressInput) => List<string> }>()(runner.run, Names, {
    list: { ...pipeOperations(neutral).get, success: Schema.Array(Schema.String) }
  })

  it("is requested when it is first awaited, once its request is valid", async () => {
    const list = names.list(address)
    assert.lengthOf(received, 0)
    assert.deepStrictEqual(await list, ["orders"])
    for await (const name of list) assert.strictEqual(name, "orders")
    assert.deepStrictEqual<unknown>(received, [address])
    assert.instanceOf(await rejectionOf(names.list({ ...address, pipeId: "7" })), InvalidRequestError)
    assert.lengthOf(received, 1)
  })
})
