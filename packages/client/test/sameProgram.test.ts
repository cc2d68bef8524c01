// The same program over both clients: it runs in a unit test as it runs against a service.
import {
  fixtureCredentials,
  fixtureDashboards,
  fixtureDocument,
  fixtureIds,
  fixturePipes
} from "@headgate/conformance/fixtures"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  ConflictError,
  createClient,
  type HeadgateClient,
  InvalidRequestError,
  PipeNotFoundError,
  reveal,
  ServiceNotFoundError
} from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { rejectionOf } from "./support/samples.ts"
import { startServer } from "./support/startServer.ts"

const { organizations, pipes, services } = fixtureIds
const organizationId = organizations.acme
const kafka = { organizationId, serviceId: services.ingest, pipeId: pipes.kafka }
const objectStorage = { ...kafka, pipeId: pipes.objectStorage }
const { admin } = fixtureCredentials.keys

/** The code of a user: it runs with either client. */
const rotate = async (headgate: HeadgateClient, name: string) => {
  const { key, keyId, keySecret } = await headgate.keys.create({ organizationId, name, roles: ["developer"] })
  assert.isDefined(keySecret)
  return { key, keyId, length: reveal(keySecret).length }
}

const overServer = async () => {
  const server = await startServer(await Effect.runPromise(fixtureDocument))
  const headgate = createClient({
    management: { baseUrl: server.url, keyId: admin.keyId, keySecret: Redacted.value(admin.keySecret) },
    observability: { baseUrl: server.url, token: Redacted.value(fixtureCredentials.tokens.acme.token) }
  })
  const close = async () => {
    await headgate.close()
    await server.stop()
  }
  return { headgate, close }
}

const overMemory = async () => {
  const headgate = createTestClient({ snapshot: await Effect.runPromise(fixtureDocument) })
  return { headgate, close: () => headgate.close() }
}

describe.each([
  ["createClient, over a server", overServer],
  ["createTestClient", overMemory]
])("%s", (_, open) => {
  let headgate: HeadgateClient
  let close: () => Promise<void>
  beforeAll(async () => void ({ close, headgate } = await open()))
  afterAll(() => close())

  it("reads a pipe as the service wrote it, with fields that no schema knows", async () => {
    assert.deepStrictEqual<unknown>(await headgate.pipes.get(kafka), fixturePipes.kafka)
  })

  it("refuses an id that a path cannot hold, and names it", async () => {
    // Half of a surrogate pair has no form in a URL.
    for (const id of ["..", "\ud800"]) {
      const refused = await rejectionOf(headgate.dashboards.get(id))
      assert.instanceOf(refused, InvalidRequestError)
      assert.deepStrictEqual(refused.issues, [{ path: "dashboardId", message: "Expected the id of a dashboard" }])
    }
  })

  it("reaches the dashboards of the organization through a service", async () => {
    const dashboards = headgate.serviceDashboards.of(kafka)
    const { id } = await dashboards.create({ name: "through a service" })
    assert.strictEqual((await headgate.dashboards.get(id)).name, "through a service")
    assert.strictEqual((await dashboards.update(id, { name: "renamed" })).name, "renamed")
    const names = (await dashboards.list()).map(({ name }) => name)
    assert.include(names, "renamed")
    await dashboards.delete(id)
    const unknown = headgate.serviceDashboards.of({ organizationId, serviceId: services.unknown })
    assert.instanceOf(await rejectionOf(unknown.list()), ServiceNotFoundError)
    const malformed = headgate.serviceDashboards.of({ organizationId, serviceId: "no UUID" })
    const refused = await rejectionOf(malformed.list())
    assert.instanceOf(refused, InvalidRequestError)
    assert.include(String(refused), "serviceId")
  })

  it("reaches the other documents of the organization through a service", async () => {
    const connection = (await headgate.connections.create({ name: "any", host: "localhost:8123" })).id
    const sourceId = (await headgate.sources.create({ name: "any", kind: "log", connection })).id
    const savedSearchId = (await headgate.savedSearches.create({ name: "any", sourceId })).id
    const url = "https://hooks.example.com"
    const webhookId = (await headgate.webhooks.create({ name: "any", service: "generic", url })).id
    const channel = { type: "webhook", webhookId } as const
    const condition = { savedSearchId, threshold: 1, thresholdType: "above", interval: "5m", channel } as const
    const searches = headgate.serviceSavedSearches.of(kafka)
    const webhooks = headgate.serviceWebhooks.of(kafka)
    const alerts = headgate.serviceAlerts.of(kafka)
    const kinds = [
      {
        below: searches,
        documents: headgate.savedSearches,
        create: (name: string) => searches.create({ name, sourceId }),
        update: (id: string, name: string) => searches.update(id, { name, sourceId })
      },
      {
        below: webhooks,
        documents: headgate.webhooks,
        create: (name: string) => webhooks.create({ name, service: "generic", url }),
        update: (id: string, name: string) => webhooks.update(id, { name, service: "generic", url })
      },
      {
        below: alerts,
        documents: headgate.alerts,
        create: (name: string) => alerts.create({ ...condition, name }),
        update: (id: string, name: string) => alerts.update(id, { ...condition, name })
      }
    ] as const
    for (const { below, create, documents, update } of kinds) {
      const { id } = await create("through a service")
      assert.strictEqual((await documents.get(id)).name, "through a service")
      assert.strictEqual((await update(id, "renamed")).name, "renamed")
      assert.include(
        (await below.list()).map(({ name }) => name),
        "renamed"
      )
      await below.delete(id)
      assert.notInclude(
        (await documents.list()).map((document) => document.id),
        id
      )
    }
    const [first] = await headgate.sources.list()
    assert.deepStrictEqual(await headgate.serviceSources.of(kafka).get(first?.id ?? ""), first)
  })

  it("wraps the secrets of a pipe", async () => {
    const { source } = await headgate.pipes.get(objectStorage)
    const { connectionString } = fixturePipes.objectStorage.source.objectStorage
    const secret = source?.objectStorage?.connectionString
    assert.isTrue(secret !== undefined && secret !== null && reveal(secret) === connectionString)
    assert.notInclude(JSON.stringify(source), connectionString)
  })

  it("rejects with PipeNotFoundError", async () => {
    const address = { ...kafka, pipeId: pipes.unknown }
    for (const call of [() => headgate.pipes.get(address), () => headgate.pipes.delete(address)]) {
      const error = await rejectionOf(call())
      assert.isTrue(error instanceof PipeNotFoundError && error.message.includes(pipes.unknown))
      assert.deepStrictEqual(error instanceof PipeNotFoundError && error.address, address)
    }
  })

  it("deletes a pipe", async () => {
    const kinesis = { ...kafka, pipeId: pipes.kinesis }
    assert.isUndefined(await headgate.pipes.delete(kinesis))
    assert.instanceOf(await rejectionOf(headgate.pipes.get(kinesis)), PipeNotFoundError)
  })

  it("creates a key, whose secret only reveal() shows", async () => {
    const { key, keyId, length } = await rotate(headgate, "ci")
    assert.strictEqual(key.name, "ci")
    assert.deepStrictEqual(key.roles, ["developer"])
    assert.strictEqual(key.keySuffix, keyId?.slice(-4))
    assert.match(key.createdAt ?? "", /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
    assert.isAbove(length, 40)
  })

  it("creates a key that expires, from a Date or a string", async () => {
    for (const expireAt of [new Date("2999-01-01T00:00:00Z"), "2999-01-01T00:00:00Z"]) {
      const { key } = await headgate.keys.create({ organizationId, name: "short", expireAt })
      assert.strictEqual(new Date(key.expireAt ?? "").getTime(), Date.UTC(2999, 0, 1))
    }
  })

  it("rejects a key that has expired already", async () => {
    const error = await rejectionOf(
      headgate.keys.create({ organizationId, name: "late", expireAt: new Date("2001-01-01T00:00:00Z") })
    )
    assert.isTrue(error instanceof InvalidRequestError && error.message.includes("expireAt"))
  })

  it("rejects a key whose ID exists", async () => {
    const hash = `${"A".repeat(43)}=`
    const request = {
      organizationId,
      name: "own",
      hashData: { keyIdHash: hash, keyIdSuffix: "abcd", keySecretHash: hash }
    }
    const created = await headgate.keys.create(request)
    assert.hasAllKeys(created, ["key"])
    assert.instanceOf(await rejectionOf(headgate.keys.create(request)), ConflictError)
  })

  it("creates a dashboard and lists it, with await and for await", async () => {
    const created = await headgate.dashboards.create({
      name: "Orders",
      tiles: [{ x: 0, y: 0, w: 6, h: 4, series: [{ type: "time", aggFn: "count" }] }],
      tags: ["orders", "orders"]
    })
    assert.deepStrictEqual(created.tags, ["orders"])
    const expected: ReadonlyArray<unknown> = [...fixtureDashboards.acme, created]
    assert.deepStrictEqual<ReadonlyArray<unknown>>(await headgate.dashboards.list(), expected)
    const seen: Array<unknown> = []
    for await (const dashboard of headgate.dashboards.list()) seen.push(dashboard)
    assert.deepStrictEqual(seen, [...expected])
  })
})
