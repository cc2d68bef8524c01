import { stateSequences } from "@headgate/core/adapter"
import { assert, describe, it } from "vitest"
import {
  ClientClosedError,
  createClient,
  InvalidRequestError,
  PipeNotFoundError,
  TimeoutError,
  UnreachableStateError
} from "../src/index.ts"
import { createTestClient, sampleOrganizationId } from "../src/testing/index.ts"
import { errorReply, json, requestId, service } from "./support/Service.ts"
import { address, management, pipe, rejectionOf } from "./support/samples.ts"

const api = service()
const inState = (state: string) => json(200, { status: 200, requestId, result: { ...pipe, state } })

/** Responds with one state after the other; the last one stays. */
const inStates = (...states: ReadonlyArray<string>) =>
  api.respondWith((response, nth, received) => inState(states[nth - 1] ?? states.at(-1) ?? "")(response, nth, received))

const client = () => createClient({ management: management(api.url), maxRetries: 1 })
const soon = { interval: 1 }

describe("waitFor", () => {
  it("resolves to the pipe once it is in the state", async () => {
    inStates("Provisioning", "Provisioning", "Running")
    await using headgate = client()
    const { name, state } = await headgate.pipes.waitFor(address, "Running", soon)
    assert.deepStrictEqual([name, state], ["orders", "Running"])
    assert.lengthOf(api.received, 3)
  })

  it("rejects at once when the pipe does not get there by itself", async () => {
    inStates("Stopping", "Stopped")
    await using headgate = client()
    const error = await rejectionOf(headgate.pipes.waitFor(address, "Running", { interval: 60_000 }))
    assert.instanceOf(error, UnreachableStateError)
    assert.strictEqual(
      error instanceof Error && error.message,
      "the pipe is Stopping, and does not become Running by itself"
    )
    assert.strictEqual(error instanceof UnreachableStateError && error.state, "Stopping")
    assert.lengthOf(api.received, 1)
  })

  it("waits in a state that no one knows", async () => {
    inStates("Migrating", "Running")
    await using headgate = client()
    assert.strictEqual((await headgate.pipes.waitFor(address, "Running", soon)).state, "Running")
  })

  it("repeats a call as the client does, after Retry-After", async () => {
    api.respondWith((response, nth, received) =>
      nth === 1
        ? errorReply(429, "TOO_MANY_REQUESTS: later", { "retry-after": "1" })(response, nth, received)
        : inState("Running")(response, nth, received)
    )
    await using headgate = client()
    const start = performance.now()
    await headgate.pipes.waitFor(address, "Running", soon)
    assert.isAtLeast(performance.now() - start, 990)
  })

  it("rejects with TimeoutError, which says the state that the pipe is in", async () => {
    inStates("Provisioning")
    await using headgate = client()
    const error = await rejectionOf(headgate.pipes.waitFor(address, "Running", { interval: 20, timeout: 2000 }))
    assert.instanceOf(error, TimeoutError)
    assert.match(String(error), /still Provisioning, not Running, after 2000 ms/)
    const early = await rejectionOf(headgate.pipes.waitFor(address, "Running", { interval: 60_000, timeout: 30_000 }))
    assert.instanceOf(early, TimeoutError)
  })

  it("rejects as a call does: no pipe, a wrong address, a wrong option", async () => {
    await using headgate = client()
    api.respondWith(errorReply(404, "NOT_FOUND: no such pipe"))
    assert.instanceOf(await rejectionOf(headgate.pipes.waitFor(address, "Running")), PipeNotFoundError)
    const wrong = await rejectionOf(headgate.pipes.waitFor({ ...address, pipeId: "7" }, "Running"))
    assert.isTrue(wrong instanceof InvalidRequestError && wrong.issues[0]?.path === "pipeId")
    for (const [options, path] of [
      [{ interval: 0 }, "interval"],
      [{ interval: 1e12 }, "interval"],
      [{ timeout: "1 minute" }, "timeout"],
      [{ maxRetries: -1 }, "maxRetries"],
      [{ patience: 1 }, "patience"]
    ] as const) {
      const error = await rejectionOf(headgate.pipes.waitFor(address, "Running", options as never))
      assert.strictEqual(error instanceof InvalidRequestError && error.issues[0]?.path, path)
    }
    const noState = await rejectionOf(headgate.pipes.waitFor(address, undefined as never))
    assert.strictEqual(noState instanceof InvalidRequestError && noState.issues[0]?.path, "state")
  })

  it("ends with its signal, in a pause and in a call", async () => {
    inStates("Provisioning")
    await using headgate = client()
    for (const before of [api.next, async () => undefined]) {
      const controller = new AbortController()
      const waiting = headgate.pipes.waitFor(address, "Running", { interval: 60_000, signal: controller.signal })
      await before()
      controller.abort(new Error("enough"))
      assert.strictEqual(await rejectionOf(waiting), controller.signal.reason)
    }
  })

  it("ends with its client", async () => {
    inStates("Provisioning")
    const headgate = client()
    const waiting = headgate.pipes.waitFor(address, "Running", soon)
    await api.next()
    await headgate.close()
    assert.instanceOf(await rejectionOf(waiting), ClientClosedError)
  })

  it("follows every path of the rules in the test client", async () => {
    const sources = { cdc: { postgres: {} }, oneShot: { objectStorage: {} } }
    for (const [kind, source] of Object.entries(sources)) {
      await using headgate = createTestClient({ pipes: [{ ...pipe, source, state: "Provisioning" }] })
      const at = { ...address, organizationId: sampleOrganizationId }
      const end = Reflect.get(stateSequences, kind).create.at(-1)
      assert.strictEqual((await headgate.pipes.waitFor(at, end, { interval: 20 })).state, end)
    }
  })
})
