import { assert, describe, it } from "@effect/vitest"
import type { CallError } from "@headgate/core/error"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { HttpClient } from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import { type ClientName, everyClient, withoutPauses } from "./support/clients.ts"
import { type FaultName, faults, serve } from "./support/FaultServer.ts"
import { layerPorts, operations, type OperationUnderTest } from "./support/operations.ts"

// fetch and undici are what the package is for; of the others a read and a create show whether they differ.
const operationsOver = (client: ClientName) =>
  client === "fetch" || client === "undici"
    ? operations
    : operations.filter(({ name }) => name === "pipes.get" || name === "keys.create")

interface Expected {
  /** `undefined`: the answer is good. */
  readonly tag?: CallError["_tag"]
  readonly status?: number
  /** How often the server is asked; a create, if it differs. */
  readonly requests: number
  readonly requestsOfCreate?: number
  readonly createFails?: CallError["_tag"]
  readonly says?: string
  readonly aborts?: boolean
  /** Where an envelope need hold nothing, its reader has nothing to miss. */
  readonly deletes?: boolean
}

const fine: Expected = { requests: 1 }
const unexpected = (status: number, says: string): Expected => ({
  tag: "UnexpectedResponse",
  status,
  requests: 1,
  says
})
const lost: Expected = { tag: "TransportFault", requests: 3, requestsOfCreate: 1, says: "no answer from the service" }
const late: Expected = {
  tag: "TimedOut",
  requests: 3,
  requestsOfCreate: 1,
  says: "no answer within 1s",
  aborts: true
}

const expectations: Readonly<Record<FaultName, Expected>> = {
  "a good answer": fine,
  "a good answer in chunks": fine,
  "a good answer, compressed": fine,
  "201 with a good body": fine,
  "204": unexpected(204, "than the contract describes: "),
  "an empty 200": unexpected(200, "than the contract describes: "),
  "an empty object": { ...unexpected(200, "than the contract describes: "), deletes: true },
  "a page with 200": unexpected(200, "than the contract describes: "),
  "cut JSON": unexpected(200, "than the contract describes: "),
  "a wrong shape": { ...unexpected(200, "than the contract describes: "), deletes: true },
  "a failure inside a success": unexpected(200, "than the contract describes: "),
  "plain-text 401": { tag: "Unauthorized", status: 401, requests: 1, says: "credentials: Unauthorized" },
  "HTML 429": { tag: "RateLimited", status: 429, requests: 3, says: "429 Slow down" },
  "429 with little": { tag: "RateLimited", status: 429, requests: 3, says: "too many requests" },
  "a redirect": unexpected(302, "redirects, which is not followed"),
  "500, then good": { requests: 2, requestsOfCreate: 1, createFails: "ServerFault" },
  "503 with Retry-After, then good": { requests: 2 },
  "a reset before the answer": lost,
  "a reset, then good": { requests: 2, requestsOfCreate: 1, createFails: "TransportFault" },
  "a reset in the answer": lost,
  "a reset between chunks": lost,
  "an end before the declared length": lost,
  "no HTTP": lost,
  silence: late,
  "silence in the answer": late,
  "silence between chunks": late,
  "a declared flood": { ...unexpected(200, "larger than 64 MiB"), aborts: true },
  "a compressed flood": unexpected(200, "larger than 64 MiB"),
  "an endless flood": { ...unexpected(200, "larger than 64 MiB"), aborts: true }
}

// fetch decompresses, the others ask for no compression and would not understand it.
const skipped = (client: ClientName, fault: FaultName) => fault.includes("compressed") && client !== "fetch"

const check = (client: Layer.Layer<HttpClient>, operation: OperationUnderTest, fault: FaultName) =>
  Effect.gen(function* () {
    const server = yield* serve((_, response, nth) => faults[fault](response, { good: operation.good, nth }))
    const attemptTimeout = isSilence(fault) ? "1 second" : "10 seconds"
    const exit = yield* operation.run.pipe(
      Effect.provide(layerPorts({ baseUrl: server.baseUrl, attemptTimeout })),
      Effect.provide(client),
      withoutPauses,
      Effect.exit
    )
    const expected = expectations[fault]
    const requests = (operation.creates ? expected.requestsOfCreate : undefined) ?? expected.requests
    const isGood = operation.name === "pipes.delete" && expected.deletes === true
    const tag = isGood ? undefined : ((operation.creates ? expected.createFails : undefined) ?? expected.tag)
    assert.strictEqual(server.requests(), requests, "requests that the server saw")
    assert.isTrue(server.paths.every((path) => path === operation.path))
    if (tag === undefined) return assert.isTrue(Exit.isSuccess(exit), String(exit))
    if (Exit.isSuccess(exit)) return assert.fail(`expected ${tag}`)
    const error = yield* Effect.flip(exit)
    assert.strictEqual(error._tag, tag)
    assert.strictEqual(error.attempts, requests)
    assert.strictEqual(error.method, operation.method)
    assert.strictEqual(error.path, operation.path)
    if (expected.status !== undefined) assert.strictEqual(error.status, expected.status)
    if (expected.says !== undefined) assert.include(error.message, expected.says)
    if (expected.aborts === true) {
      // The socket's end takes a moment to arrive.
      yield* Effect.sleep("10 millis").pipe(Effect.repeat({ until: () => server.aborted() === requests, times: 100 }))
      assert.strictEqual(server.aborted(), requests, "requests that were broken off")
    }
  })

const isSilence = (fault: FaultName) => fault.startsWith("silence")
const faultNames = Object.keys(expectations) as ReadonlyArray<FaultName>

for (const [clientName, client] of everyClient) {
  // These wait, so they wait together: a second, so that a busy machine has sent its request by then.
  describe.concurrent(`over ${clientName}`, () => {
    for (const operation of operationsOver(clientName)) {
      for (const fault of faultNames.filter(isSilence)) {
        it.live(`${operation.name}: ${fault}`, () => check(client, operation, fault), 20_000)
      }
    }
  })

  describe(`over ${clientName}`, () => {
    for (const operation of operationsOver(clientName)) {
      for (const fault of faultNames.filter((fault) => !isSilence(fault))) {
        if (skipped(clientName, fault)) continue
        it.live(`${operation.name}: ${fault}`, () => check(client, operation, fault), 20_000)
      }
    }
  })
}
