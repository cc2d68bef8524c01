import { inspect } from "node:util"
import { afterEach, assert, describe, it, vi } from "vitest"
import { createClient, InvalidRequestError, secret } from "../src/index.ts"
import { json, requestId, service } from "./support/Service.ts"
import { address, management, observability, pipe, secrets } from "./support/samples.ts"

const api = service()
const anywhere = "https://api.test"
const found = { status: 200, requestId, result: pipe }

const thrownBy = (options: unknown): InvalidRequestError => {
  try {
    // A caller without a compiler can do this.
    createClient(options as never)
  } catch (error) {
    if (error instanceof InvalidRequestError) return error
    throw error
  }
  throw new Error("expected createClient to throw")
}

describe("createClient throws for a wrong option, and names it", () => {
  it.each<[string, unknown, ReadonlyArray<string>]>([
    ["no options", undefined, [""]],
    ["neither API", {}, [""]],
    ["an empty API", { management: {} }, ["management.baseUrl", "management.keyId", "management.keySecret"]],
    [
      "an environment that is not set",
      { observability: { baseUrl: undefined, token: undefined } },
      ["observability.baseUrl", "observability.token"]
    ],
    ["no URL", { management: management("api.test") }, ["management.baseUrl"]],
    [
      "a URL with credentials",
      { management: management(`https://x:${secrets.keySecret}@api.test`) },
      ["management.baseUrl"]
    ],
    ["plain http", { management: management("http://api.test") }, ["management.baseUrl"]],
    ["a key ID with a colon", { management: { ...management(anywhere), keyId: "a:b" } }, ["management.keyId"]],
    ["an empty secret", { management: { ...management(anywhere), keySecret: "" } }, ["management.keySecret"]],
    [
      "a token that does not fit in a header, and a User-Agent for both APIs",
      {
        management: management(anywhere),
        observability: { baseUrl: anywhere, token: `${secrets.token} ${secrets.token}` },
        userAgent: "größe"
      },
      ["userAgent", "observability.token"]
    ],
    [
      "secrets of another type",
      { management: { ...management(anywhere), keySecret: [secrets.keySecret], keyId: { id: secrets.keySecret } } },
      ["management.keyId", "management.keySecret"]
    ],
    ["a dialect", { management: { ...management(anywhere), dialect: "clickhaus" } }, ["management.dialect"]],
    [
      "a request policy",
      { management: management(anywhere), maxRetries: 1.5, timeout: -1, deadline: Number.NaN, retryCreates: "no" },
      ["maxRetries", "timeout", "deadline", "retryCreates"]
    ],
    [
      "a fetch of another type, and an option that is not known",
      { management: management(anywhere), fetch: "fetch", httpClient: {} },
      ["httpClient", "fetch"]
    ],
    [
      "credentials twice",
      { management: { ...management(anywhere), credentials: async () => ({}) } },
      ["management.credentials"]
    ],
    [
      "credentials that are not a function",
      { observability: { baseUrl: anywhere, credentials: { token: secrets.token } } },
      ["observability.credentials"]
    ],
    [
      "limits, reported once for both APIs",
      {
        management: management(anywhere),
        observability: observability(anywhere),
        maxConcurrency: 0,
        rateLimit: { limit: "10" },
        circuitBreaker: { failures: Number.NaN }
      },
      ["rateLimit.limit", "rateLimit.window"]
    ],
    [
      "a limit of 0",
      { management: management(anywhere), observability: observability(anywhere), maxConcurrency: 0 },
      ["maxConcurrency"]
    ]
  ])("%s", (_, options, paths) => {
    const error = thrownBy(options)
    assert.deepStrictEqual(
      error.issues.map(({ path }) => path),
      paths
    )
    for (const { message, path } of error.issues) {
      assert.include(error.message, path)
      assert.match(message, /^(Expected|Missing)/)
    }
    const shown = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error)
    for (const mark of Object.values(secrets)) assert.notInclude(shown, mark)
  })
})

describe("a client", () => {
  it("is not returned if its construction has a defect", () => {
    const baseUrl = Object.assign(new URL(anywhere), {
      toString: () => {
        throw new TypeError("no text")
      }
    })
    assert.throws(() => createClient({ management: { ...management(anywhere), baseUrl } }), TypeError, "no text")
  })

  it("has the methods of the APIs that were given", () => {
    assert.hasAllKeys(createClient({ management: management(anywhere) }), [
      "organizations",
      "services",
      "cdcScaling",
      "privateEndpoints",
      "pipes",
      "keys",
      "roles",
      "console",
      "serviceDashboards",
      "serviceSources",
      "serviceSavedSearches",
      "serviceWebhooks",
      "serviceAlerts",
      "dashboardRoles",
      "serviceCharts",
      "close",
      "request",
      Symbol.asyncDispose
    ])
    assert.hasAllKeys(createClient({ observability: observability(anywhere) }), [
      "dashboards",
      "connections",
      "sources",
      "savedSearches",
      "webhooks",
      "alerts",
      "charts",
      "close",
      "request",
      Symbol.asyncDispose
    ])
  })

  it("shows no secret if it is printed", () => {
    const headgate = createClient({ management: management(anywhere), observability: observability(anywhere) })
    const shown = inspect(headgate, { depth: null, showHidden: true }) + JSON.stringify(headgate)
    for (const mark of Object.values(secrets)) assert.notInclude(shown, mark)
  })

  it("accepts a base URL with /v1, and wrapped secrets", async () => {
    api.respondWith(json(200, found))
    const { keySecret, ...rest } = management(`${api.url}/v1/`)
    await using headgate = createClient({
      management: { ...rest, baseUrl: new URL(rest.baseUrl), keySecret: secret(keySecret) }
    })
    await headgate.pipes.get(address)
    assert.match(api.received[0]?.path ?? "", /^\/v1\/organizations\//)
    const basic = Buffer.from(`key-id:${keySecret}`).toString("base64")
    assert.strictEqual(api.received[0]?.headers.authorization, `Basic ${basic}`)
  })
})

describe("the transport", () => {
  afterEach(() => void vi.unstubAllGlobals())

  const answering = () => vi.fn<typeof globalThis.fetch>(async () => Response.json(found))

  it("is the fetch option", async () => {
    const fetch = answering()
    await using headgate = createClient({ management: management(anywhere), fetch })
    assert.strictEqual((await headgate.pipes.get(address)).name, "orders")
    const [url, init] = fetch.mock.calls[0] ?? []
    assert.include(String(url), `${anywhere}/v1/organizations/`)
    assert.strictEqual(init?.redirect, "manual")
  })

  it("is otherwise the global fetch at the time of the request", async () => {
    await using headgate = createClient({ management: management(api.url) })
    api.respondWith(json(200, found))
    await headgate.pipes.get(address)
    const fetch = answering()
    vi.stubGlobal("fetch", fetch)
    await headgate.pipes.get(address)
    assert.lengthOf(api.received, 1)
    assert.lengthOf(fetch.mock.calls, 1)
  })
})
