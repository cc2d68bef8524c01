import { assert, describe, layer } from "@effect/vitest"
import {
  Alerts,
  BelowService,
  ApiKeys,
  ConnectionId,
  Connections,
  DashboardRoles,
  Dashboards,
  DashboardSources,
  OrganizationId,
  Pipes,
  type PortError,
  ReversePrivateEndpoints,
  Roles,
  SavedSearches,
  ServiceId,
  Webhooks
} from "@headgate/core"
import { HttpAdapter } from "@headgate/http-adapter"
import type { Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { journal, putFaults } from "./support/admin.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, ServerUrl, serverOver } from "./support/liveServer.ts"
import { documentRequests, namedDocuments } from "./support/namedDocuments.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, keysPath, withToken, environment } from "./support/environment.ts"

const create = (key: string, body: unknown = { name: "ci" }, caller = "admin") =>
  call(keysPath(), { authorization: as(caller), body, headers: { "idempotency-key": key } })

overEveryStore((store) => {
  layer(serverOver(store, environment))(`Idempotency-Key over ${store.name}`, (it) => {
    it.effect("a repeat is answered with the same credentials, and its own request id", () =>
      Effect.gen(function* () {
        const first = yield* create("one")
        const second = yield* create("one")
        assert.deepStrictEqual([first.status, second.status], [200, 200])
        assert.deepStrictEqual(second.json.result, first.json.result)
        assert.notStrictEqual(second.json.requestId, first.json.requestId)
        const other = yield* create("two")
        assert.notStrictEqual(other.json.result.key.id, first.json.result.key.id)
        const another = yield* create("one", { name: "ci" }, "from-here")
        assert.notStrictEqual(another.json.result.key.id, first.json.result.key.id)
      })
    )

    it.effect("another body is a 422, a malformed key a 400, a refused creation is not kept", () =>
      Effect.gen(function* () {
        yield* create("three")
        const reused = yield* create("three", { name: "cd" })
        assert.strictEqual(reused.status, 422)
        assert.include(reused.json.error, "UNPROCESSABLE_ENTITY: this Idempotency-Key was used with another body")
        for (const key of ["", "a b", "x".repeat(256)]) {
          const { json, status } = yield* create(key)
          assert.strictEqual(status, 400, key)
          assert.include(json.error, "idempotency-key: Expected 1 to 255 visible characters")
        }
        assert.strictEqual((yield* create("four", { name: "" })).status, 400)
        assert.strictEqual((yield* create("four", { name: "fine" })).status, 200)
      })
    )

    it.effect("a dashboard too", () =>
      Effect.gen(function* () {
        const headers = { "idempotency-key": "five" }
        const post = call("/api/v2/dashboards", { authorization: withToken, body: { name: "Errors" }, headers })
        const [first, second] = [yield* post, yield* post]
        assert.deepStrictEqual(second.json, first.json)
        assert.strictEqual(first.headers.get("etag"), second.headers.get("etag"))
        const { json } = yield* call("/api/v2/dashboards", { authorization: withToken })
        assert.lengthOf(json.data, 1)
      })
    )

    it.effect("every answer says how long keys are kept, errors included", () =>
      Effect.gen(function* () {
        for (const [path, options] of [
          ["/", {}],
          ["/nowhere", {}],
          [keysPath(), { body: {} }],
          [keysPath(), { authorization: as("admin"), body: "no json" }]
        ] as const) {
          assert.strictEqual((yield* call(path, options)).headers.get("idempotency-key-retention"), "86400", path)
        }
      })
    )
  })
})

/** All ports of our client, over a transport that may change its requests. */
const clientOver = (baseUrl: string, transport: Layer.Layer<HttpClient.HttpClient>) =>
  Layer.merge(
    HttpAdapter.layerManagement({ baseUrl, keyId: "admin", keySecret: Redacted.make("the-secret-of-admin") }),
    HttpAdapter.layerObservability({ baseUrl, token: Redacted.make("token-of-the-sample-organization") })
  ).pipe(Layer.provide(transport))

type Ports = Layer.Success<ReturnType<typeof clientOver>>

/** Each noun that has a creation: the creation, and a list of what there is. */
type Creations = {
  readonly [
    Noun in keyof Operations as Operations[Noun] extends { readonly create: unknown } ? Noun : never
  ]: readonly [
    create: Effect.Effect<unknown, PortError, Ports>,
    list: Effect.Effect<ReadonlyArray<unknown>, PortError, Ports>
  ]
}

const organization = OrganizationId.make(organizationId)
const service = { organizationId: organization, serviceId: ServiceId.make(serviceId) }
const name = "once"
const url = Redacted.make(documentRequests.webhook.url)
let webhooks = 0
/** No two webhooks have one name. A repeat by the client has the same body. */
const webhook = () => ({ ...documentRequests.webhook, name: `${name} ${(webhooks += 1)}`, url })
const source = { name, kind: "log", connection: ConnectionId.make(documentRequests.source.connection) } as const

const creations: Creations = {
  pipe: [
    Pipes.use((pipes) =>
      pipes.create(service, {
        name,
        source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" } },
        destination: { database: "default", table: "orders", managedTable: true, columns: [] }
      })
    ),
    Pipes.use((pipes) => pipes.list(service))
  ],
  key: [
    ApiKeys.use((keys) => keys.create({ organizationId: organization }, { name })),
    ApiKeys.use((keys) => keys.list({ organizationId: organization }))
  ],
  role: [
    Roles.use((roles) => roles.create({ organizationId: organization }, { name, actors: [], policies: [] })),
    Roles.use((roles) => roles.list({ organizationId: organization }))
  ],
  endpoint: [
    ReversePrivateEndpoints.use((endpoints) =>
      endpoints.create(service, {
        description: name,
        type: "VPC_ENDPOINT_SERVICE",
        vpcEndpointServiceName: "com.amazonaws.vpce.svc-1"
      })
    ),
    ReversePrivateEndpoints.use((endpoints) => endpoints.list(service))
  ],
  dashboard: [
    Dashboards.use((dashboards) => dashboards.create({ name })),
    Dashboards.use((dashboards) => dashboards.list())
  ],
  serviceDashboard: [
    BelowService(Dashboards).use((dashboards) => dashboards.of(service).create({ name })),
    BelowService(Dashboards).use((dashboards) => dashboards.of(service).list())
  ],
  serviceSource: [
    BelowService(DashboardSources).use((sources) => sources.of(service).create(source)),
    BelowService(DashboardSources).use((sources) => sources.of(service).list())
  ],
  serviceSavedSearch: [
    BelowService(SavedSearches).use((searches) =>
      searches.of(service).create({ ...documentRequests.savedSearch, name })
    ),
    BelowService(SavedSearches).use((searches) => searches.of(service).list())
  ],
  serviceWebhook: [
    BelowService(Webhooks).use((webhooks) => Effect.suspend(() => webhooks.of(service).create(webhook()))),
    BelowService(Webhooks).use((webhooks) => webhooks.of(service).list())
  ],
  serviceAlert: [
    BelowService(Alerts).use((alerts) => alerts.of(service).create({ ...documentRequests.alert, name })),
    BelowService(Alerts).use((alerts) => alerts.of(service).list())
  ],
  dashboardRole: [
    BelowService(DashboardRoles).use((roles) => roles.of(service).create({ name, permissions: [] })),
    BelowService(DashboardRoles).use((roles) => roles.of(service).list())
  ],
  connection: [
    Connections.use((connections) => connections.create({ name, host: "localhost:8123" })),
    Connections.use((connections) => connections.list())
  ],
  source: [
    DashboardSources.use((sources) => sources.create(source)),
    DashboardSources.use((sources) => sources.list())
  ],
  savedSearch: [
    SavedSearches.use((searches) => searches.create({ ...documentRequests.savedSearch, name })),
    SavedSearches.use((searches) => searches.list())
  ],
  webhook: [
    Webhooks.use((webhooks) => Effect.suspend(() => webhooks.create(webhook()))),
    Webhooks.use((webhooks) => webhooks.list())
  ],
  alert: [
    Alerts.use((alerts) => alerts.create({ ...documentRequests.alert, name })),
    Alerts.use((alerts) => alerts.list())
  ]
}

const [sample, ...others] = environment.organizations
const withDocuments = { organizations: [{ ...sample, ...namedDocuments }, ...others] }

/** As a client that sends no key: it repeats the creation, but the server does not see that it is the same one. */
const withoutKey = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.removeHeader("idempotency-key")))
).pipe(Layer.provide(FetchHttpClient.layer))

/** A client draws how long it pauses before it repeats a request: with 0 not at all. */
const atOnce = Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 })

overEveryStore((store) => {
  describe(`a creation over ${store.name} whose answer was lost`, () => {
    const lost = { match: { method: "POST", times: 1 }, drop: "after" }

    /** How many resources a creation makes that is dropped after the write, and the outcomes of its requests. */
    const createLost = Effect.fnUntraced(function* (
      [create, list]: Creations[keyof Creations],
      transport: Layer.Layer<HttpClient.HttpClient>
    ) {
      const client = clientOver(yield* ServerUrl, transport)
      const before = yield* Effect.provide(list, client)
      yield* putFaults(lost)
      yield* call("/_admin/requests", { method: "DELETE" })
      const created = yield* Effect.result(atOnce(Effect.provide(create, client)))
      const after = yield* Effect.provide(list, client)
      const posts = yield* journal("?method=POST")
      const outcomes = posts.map((request: any) => request.outcome)
      return { made: after.length - before.length, outcomes, isDone: Result.isSuccess(created) }
    })

    layer(serverOver(store, withDocuments, { admin: true }), { excludeTestServices: true })((it) => {
      for (const [noun, creation] of Object.entries(creations)) {
        it.effect(
          `is repeated by our client, and makes one ${noun}; without an Idempotency-Key it would make two`,
          () =>
            Effect.gen(function* () {
              const once = yield* createLost(creation, FetchHttpClient.layer)
              const outcomes = ["dropped", "answered"]
              assert.deepStrictEqual(once, { made: 1, outcomes, isDone: true })
              const twice = yield* createLost(creation, withoutKey)
              // The name of a webhook is taken then: the repeat is refused.
              const second = noun.toLowerCase().endsWith("webhook")
                ? { made: 1, isDone: false }
                : { made: 2, isDone: true }
              assert.deepStrictEqual(twice, { ...second, outcomes })
            })
        )
      }
    })
  })
})
