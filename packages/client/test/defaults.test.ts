// The organization and the service of a client, for requests that name none.
import { examples, neutral, operations } from "@headgate/http-contract"
import * as Struct from "effect/Struct"
import { afterAll, assert, describe, it } from "vitest"
import { createClient, InvalidRequestError, type ManagementClient } from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { nounOf } from "./support/nouns.ts"
import { errorReply, json, requestId, service } from "./support/Service.ts"
import { address, management, organizationId, pipe, rejectionOf } from "./support/samples.ts"

const api = service()
const { serviceId } = address
const other = "44444444-4444-4444-8444-444444444444"
let made: ManagementClient | undefined
const client = () =>
  (made ??= createClient({ management: management(api.url), maxRetries: 0, organizationId, serviceId }))
afterAll(() => made?.close())

describe("a client with an organization and a service", () => {
  const nouns = createTestClient()
  const rows = Struct.keys(nounOf).flatMap((table) =>
    Object.entries(operations(neutral)[table]).flatMap(([method, { method: verb, path }]) =>
      path.includes(":organizationId") && !("of" in nouns[nounOf[table]])
        ? [
            [
              nounOf[table],
              method,
              path,
              verb === "GET" ? {} : Reflect.get(examples(neutral)[table], method).payload
            ] as const
          ]
        : []
    )
  )

  it.each(rows)("calls them in %s.%s", async (noun, method, path, example) => {
    api.respondWith(errorReply(500, "INTERNAL_ERROR: enough"))
    const own = Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => (name === "dbPipeId" ? "pipeId" : name)).filter(
      (name) => name !== "organizationId" && name !== "serviceId"
    )
    const request = { ...example, ...Object.fromEntries(own.map((name) => [name, other])) }
    const group: object = Reflect.get(client(), noun)
    const error = await rejectionOf(
      Object.keys(request).length === 0 ? Reflect.get(group, method)() : Reflect.get(group, method)(request)
    )
    assert.lengthOf(api.received, 1, String(error))
    assert.strictEqual(
      api.received[0]?.path.replace(/\?.*$/, ""),
      path.replace(":organizationId", organizationId).replace(":serviceId", serviceId).replace(/:\w+/g, other)
    )
  })

  it("calls those of a request that names them", async () => {
    api.respondWith(json(200, { status: 200, requestId, result: pipe }))
    await client().pipes.get({ organizationId: other, pipeId: address.pipeId })
    await client().pipes.get({ serviceId: other, organizationId: undefined, pipeId: address.pipeId })
    assert.deepStrictEqual(
      api.received.map(({ path }) => path),
      [
        `/v1/organizations/${other}/services/${serviceId}/dbpipes/${address.pipeId}`,
        `/v1/organizations/${organizationId}/services/${other}/dbpipes/${address.pipeId}`
      ]
    )
  })

  it("calls them below a service, and as it waits", async () => {
    api.respondWith(json(200, { status: 200, requestId, result: pipe }))
    await client().pipes.waitFor({ pipeId: address.pipeId }, "Running")
    api.respondWith(errorReply(500, "INTERNAL_ERROR: enough"))
    await rejectionOf(client().serviceDashboards.of().list())
    assert.deepStrictEqual(
      api.received.map(({ path }) => path),
      [
        `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes/${address.pipeId}`,
        `/v1/organizations/${organizationId}/services/${serviceId}/dbstack/dashboards`
      ]
    )
  })

  it("refuses an id that is none, and names it", () => {
    assert.throws(
      () => createClient({ management: management(api.url), organizationId: "acme" }),
      InvalidRequestError,
      "organizationId: Expected the id of an organization, a UUID"
    )
  })
})

describe("a client without them", () => {
  it("names what a request lacks, and where it may be given", async () => {
    await using headgate = createClient({ management: management(api.url), organizationId })
    for (const call of [() => headgate.pipes.list(), () => headgate.serviceAlerts.of().list()]) {
      const error = await rejectionOf(call())
      assert.deepStrictEqual(error instanceof InvalidRequestError && error.issues, [
        { path: "serviceId", message: "Missing: give it in the request, or serviceId to createClient" }
      ])
    }
    assert.lengthOf(api.received, 0)
  })
})

it("a test client has the organization of its content, and a service that is given", async () => {
  await using headgate = createTestClient({ organizationId, serviceId, pipes: [{ ...pipe, state: "Running" }] })
  assert.strictEqual((await headgate.pipes.get({ pipeId: pipe.id })).name, "orders")
  assert.lengthOf(await headgate.pipes.list(), 1)
  assert.strictEqual((await headgate.organizations.get()).id, organizationId)
})
