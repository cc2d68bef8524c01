import { assert, describe, layer } from "@effect/vitest"
import { ApiKeys, Dashboards, OrganizationId } from "@headgate/core"
import { HttpAdapter } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { attempt, putFaults } from "./support/admin.ts"
import { organizationId } from "./support/fullSnapshot.ts"
import { call, memoryServer, ServerUrl, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, keysPath, withToken, world } from "./support/world.ts"

const create = (key: string, body: unknown = { name: "ci" }, caller = "admin") =>
  call(keysPath(), { authorization: as(caller), body, headers: { "idempotency-key": key } })

overEveryStore((store) => {
  layer(serverOver(store, world))(`Idempotency-Key over ${store.name}`, (it) => {
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

describe("a creation whose answer was lost", () => {
  const lost = { match: { method: "POST", times: 1 }, drop: "after" }
  layer(memoryServer(world, { admin: true }), { excludeTestServices: true })((it) => {
    it.effect("is repeated by our client, and creates one key and one dashboard", () =>
      Effect.gen(function* () {
        const baseUrl = yield* ServerUrl
        const ports = Layer.merge(
          HttpAdapter.layerManagement({ baseUrl, keyId: "admin", keySecret: Redacted.make("the-secret-of-admin") }),
          HttpAdapter.layerObservability({ baseUrl, token: Redacted.make("token-of-the-sample-organization") })
        ).pipe(Layer.provide(FetchHttpClient.layer))
        yield* Effect.gen(function* () {
          yield* putFaults(lost)
          yield* ApiKeys.use((keys) => keys.create(OrganizationId.make(organizationId), { name: "once" }))
          yield* putFaults(lost)
          yield* Dashboards.use((dashboards) => dashboards.create({ name: "once" }))
          const dashboards = yield* Dashboards.use((dashboards) => dashboards.list())
          assert.lengthOf(
            dashboards.filter(({ name }) => name === "once"),
            1
          )
        }).pipe(Effect.provide(ports))
        const { json } = yield* call("/_admin/requests")
        const posts = json.requests.filter((request: any) => request.path === keysPath() && request.method === "POST")
        assert.deepStrictEqual(
          posts.map((request: any) => request.outcome),
          ["dropped", "answered"]
        )
      })
    )

    it.effect("and repeated by a client without a key creates two", () =>
      Effect.gen(function* () {
        yield* putFaults(lost)
        const post = attempt("/api/v2/dashboards", { authorization: withToken, body: { name: "twice" } })
        assert.isUndefined(yield* post)
        yield* post
        const { json } = yield* call("/api/v2/dashboards", { authorization: withToken })
        assert.lengthOf(
          json.data.filter(({ name }: any) => name === "twice"),
          2
        )
      })
    )
  })
})
