import { afterEach, assert, describe, it, vi } from "vitest"
import { createClient, InvalidRequestError, type PipesClient, RateLimitedError, reveal } from "../src/index.ts"
import { createTestClient, sampleOrganizationId, type TestClientOptions } from "../src/testing/index.ts"
import { address, organizationId, pipe, rejectionOf } from "./support/samples.ts"

const thrownBy = (options: TestClientOptions): unknown => {
  try {
    createTestClient(options)
  } catch (error) {
    return error
  }
  throw new Error("expected createTestClient to throw")
}

afterEach(() => void vi.useRealTimers())

describe("createTestClient", () => {
  it("needs no options", async () => {
    await using headgate = createTestClient()
    assert.deepStrictEqual(await headgate.dashboards.list(), [])
    const { key } = await headgate.keys.create({ organizationId: sampleOrganizationId, name: "ci" })
    assert.strictEqual(key.name, "ci")
    const refused = await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }))
    assert.include(String(refused), `there is no organization ${organizationId}`)
  })

  it("holds pipes and dashboards of an organization", async () => {
    const dashboards = [{ id: "d1", name: "Errors" }]
    const createdAt = new Date("2026-01-01T00:00:00Z")
    const secretive = { objectStorage: { connectionString: "AccountKey=abc" } }
    await using headgate = createTestClient({
      organizationId,
      pipes: [
        { ...pipe, createdAt, source: secretive },
        { ...pipe, id: organizationId, serviceId: organizationId }
      ],
      dashboards
    })
    const { source, ...rest } = await headgate.pipes.get(address)
    assert.deepStrictEqual(rest, { ...pipe, createdAt: "2026-01-01T00:00:00.000Z" })
    const connectionString = source?.objectStorage?.connectionString
    assert.strictEqual(connectionString && reveal(connectionString), "AccountKey=abc")
    const other = { organizationId, serviceId: organizationId, pipeId: organizationId }
    assert.strictEqual((await headgate.pipes.get(other)).name, "orders")
    assert.deepStrictEqual<unknown>(await headgate.dashboards.list(), dashboards)
  })

  it("uses sampleOrganizationId if no organization is given", async () => {
    await using headgate = createTestClient({ pipes: [pipe] })
    assert.strictEqual(
      (await headgate.pipes.get({ ...address, organizationId: sampleOrganizationId })).id,
      address.pipeId
    )
  })

  it("holds a snapshot, and the dashboards beside it", async () => {
    const snapshot = {
      organizations: [
        { id: organizationId, name: "Acme", services: [{ id: address.serviceId, name: "ingest", pipes: [pipe] }] }
      ]
    }
    await using headgate = createTestClient({ snapshot, dashboards: [{ id: "d1", name: "Errors" }] })
    assert.strictEqual((await headgate.pipes.get(address)).name, "orders")
    assert.lengthOf(await headgate.dashboards.list(), 1)
  })

  it("returns its content as a snapshot, to make another client from", async () => {
    await using headgate = createTestClient({ organizationId, pipes: [pipe] })
    await headgate.dashboards.create({ name: "Errors" })
    await headgate.keys.create({ organizationId, name: "ci" })
    const snapshot = await headgate.snapshot()
    const [organization] = snapshot.organizations
    assert.deepStrictEqual(
      organization?.keys?.map(({ name }) => name),
      ["ci"]
    )
    await using another = createTestClient({ snapshot })
    assert.deepStrictEqual(await another.dashboards.list(), await headgate.dashboards.list())
    assert.deepStrictEqual(await another.snapshot(), snapshot)
  })

  it.each([
    ["a Map", new Map([["team", "data"]])],
    ["a Set", new Set(["data"])],
    ["a URL", new URL("https://example.com")],
    ["bytes", new Uint8Array(2)],
    ["an error", new Error("no")],
    ["a promise", Promise.resolve(1)],
    ["a bigint", 1n],
    ["NaN", Number.NaN],
    ["an invalid Date", new Date(Number.NaN)],
    ["a function", () => 1]
  ])("rejects %s in a field that no type names, as a client does", async (_, owner) => {
    const request = { name: "Errors", extra: { owner } }
    const connection = { baseUrl: "http://127.0.0.1:9", token: "token" }
    const fetch = vi.fn<typeof globalThis.fetch>()
    await using real = createClient({ observability: connection, fetch })
    await using headgate = createTestClient()
    for (const { dashboards } of [real, headgate]) {
      const error = await rejectionOf(dashboards.create(request))
      assert.instanceOf(error, InvalidRequestError)
      assert.include(error.message, "extra.owner: Expected JSON")
    }
    assert.strictEqual(fetch.mock.calls.length, 0)
    assert.deepStrictEqual(await headgate.dashboards.list(), [])
  })

  it("generates the same ids and credentials in every run, different ones for each key, also for concurrent calls", async () => {
    vi.useFakeTimers({ now: new Date("2026-05-01T12:00:00Z"), toFake: ["Date"] })
    const run = async () => {
      await using headgate = createTestClient({ organizationId })
      const keys = Array.from({ length: 90 }, () => headgate.keys.create({ organizationId, name: "ci" }))
      const dashboard = await headgate.dashboards.create({ name: "d", tiles: [{ x: 0, y: 0, w: 1, h: 1 }] })
      return { dashboard, keys: await Promise.all(keys) }
    }
    const first = await run()
    const { keys } = first
    for (let nth = 2; nth <= 10; nth++) assert.deepStrictEqual(await run(), first)
    assert.strictEqual(new Set(keys.map(({ keyId }) => keyId)).size, 90)
    assert.strictEqual(new Set(keys.map(({ key }) => key.id)).size, 90)
    assert.strictEqual(keys[0]?.key.createdAt, "2026-05-01T12:00:00.000Z")
  })

  it("can be mocked to fail", async () => {
    await using headgate = createTestClient({ organizationId, pipes: [pipe] })
    const spy = vi.spyOn<PipesClient, "get">(headgate.pipes, "get")
    spy.mockRejectedValueOnce(new RateLimitedError({ message: "slow down", retryAfter: 10 }))
    assert.instanceOf(await rejectionOf(headgate.pipes.get(address)), RateLimitedError)
    assert.strictEqual((await headgate.pipes.get(address)).name, "orders")
  })
})

describe("wrong options throw", () => {
  it.each<[string, TestClientOptions, string]>([
    ["an id", { pipes: [{ ...pipe, id: "7" }] }, "pipes[0].id"],
    ["a time", { pipes: [{ ...pipe, createdAt: "today" }] }, "pipes[0].createdAt"],
    ["an organization", { organizationId: "acme" }, "organizationId"],
    ["a snapshot", { snapshot: { organizations: [{ id: "acme", name: "Acme" }] } }, "snapshot.organizations[0].id"],
    // @ts-expect-error a caller without a compiler can do this
    ["a misspelt option", { pipe: [pipe] }, "pipe: Expected one of snapshot, organizationId, serviceId, pipes"],
    // @ts-expect-error a caller without a compiler can do this
    ["no options", null, "Expected the options of a test client"],
    ["a contradiction", { pipes: [pipe, pipe] }, "pipes[1].id"]
  ])("%s", (_, options, path) => {
    const error = thrownBy(options)
    assert.isTrue(error instanceof InvalidRequestError)
    assert.include(String(error), path)
  })
})
