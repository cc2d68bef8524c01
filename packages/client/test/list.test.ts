import { PipeAddress, type PortError } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { promiseMethods, type PromiseClient } from "../src/PromiseClient.ts"
import { makeRunner } from "../src/Runner.ts"
import {
  createClient,
  type Dashboard,
  InvalidRequestError,
  isHeadgateError,
  type ObservabilityClient
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

  it("that nobody waits for asks for nothing, so that nothing can fail unheard", async () => {
    const unheard: Array<unknown> = []
    const hear = (reason: unknown) => void unheard.push(reason)
    process.on("unhandledRejection", hear)
    api.answers(json(500, {}))
    const list = headgate.dashboards.list()
    const walk = list[Symbol.asyncIterator]()
    await later()
    process.off("unhandledRejection", hear)
    assert.deepStrictEqual(unheard, [])
    assert.lengthOf(api.asked, 0)
    assert.isTrue(isHeadgateError(await rejectionOf(walk.next())))
    assert.lengthOf(api.asked, 1)
  })

  it("is asked for once, however often it is waited for", async () => {
    const dashboards = [{ id: "d1", name: "Errors" }]
    api.answers(json(200, { data: dashboards }))
    const list = headgate.dashboards.list()
    const walked: Array<Dashboard> = []
    for await (const dashboard of list) walked.push(dashboard)
    assert.deepStrictEqual<unknown>(walked, dashboards)
    assert.deepStrictEqual<unknown>(await Promise.all([list, list]), [dashboards, dashboards])
    assert.lengthOf(api.asked, 1)
  })

  it("is a promise", async () => {
    const list = headgate.dashboards.list()
    assert.instanceOf(list, Promise)
    api.answers(json(500, {}))
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

  const asked: Array<PipeAddress> = []
  const runner = makeRunner(
    Layer.succeed(Names, { list: (address) => Effect.sync(() => (asked.push(address), ["orders"])) })
  )
  const names: PromiseClient<Names["Service"]> = {
    list: promiseMethods(runner.run, Names).list(PipeAddress, (port, address) => port.list(address))
  }

  it("is requested when it is first awaited, once its request is valid", async () => {
    const list = names.list(address)
    assert.lengthOf(asked, 0)
    assert.deepStrictEqual(await list, ["orders"])
    for await (const name of list) assert.strictEqual(name, "orders")
    assert.deepStrictEqual<unknown>(asked, [address])
    assert.instanceOf(await rejectionOf(names.list({ ...address, pipeId: "7" })), InvalidRequestError)
    assert.lengthOf(asked, 1)
  })
})
