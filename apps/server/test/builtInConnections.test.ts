// The connections to the warehouses of a server, which no organization has created: in lists, alone, and as what dashboards refer to.
import { assert, layer } from "@effect/vitest"
import { Services } from "@headgate/core"
import { type Dialect, dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { makeBuiltInConnections, withBuiltIn } from "../src/chart/builtInConnections.ts"
import { serviceId } from "./support/fullSnapshot.ts"
import { call, liveServer } from "./support/liveServer.ts"
import { decodeSnapshot, overEveryStore, type Store } from "./support/stores.ts"
import { environment, withOtherToken, withToken } from "./support/environment.ts"

const path = "/api/v2/connections"
const idOf = (warehouse: string) => createHash("sha256").update(`warehouse ${warehouse}`).digest("hex").slice(0, 24)
const [ofAll, ofService] = ["*", serviceId].map((warehouse) => ({ id: idOf(warehouse), name: "warehouse" }))
const none = { id: idOf("5e000000-0000-4000-8000-0000000000ff"), name: "warehouse" }

/** A server with warehouses: one of a service of the first organization, one of a service of nobody, one of all others. */
const serverWith = (store: Store, dialect: Dialect) => {
  const warehouses = ["*", serviceId, "5e000000-0000-4000-8000-0000000000ff"]
  const builtIn = Layer.unwrap(
    Effect.map(Services, (services) => withBuiltIn(makeBuiltInConnections(services, warehouses)))
  )
  return liveServer(Layer.provideMerge(builtIn, store.holding(decodeSnapshot(environment))), { dialect })
}

overEveryStore((store) => {
  for (const name of dialectNames) {
    layer(serverWith(store, dialects[name]), { excludeTestServices: true })(
      `built-in connections in the ${name} dialect, over ${store.name}`,
      (it) => {
        const list = (authorization: string) => Effect.map(call(path, { authorization }), ({ json }) => json.data)

        it.effect("are those of all and of the services of the organization, before the stored ones", () =>
          Effect.gen(function* () {
            const stored = { name: "mine", host: "http://localhost:8123", username: "u", password: "the-secret" }
            const created = yield* call(path, { authorization: withToken, body: stored })
            assert.strictEqual(created.status, 200, created.text)
            const listed = yield* list(withToken)
            assert.deepStrictEqual(listed.slice(0, 2), [ofAll, ofService])
            assert.strictEqual(listed[2].name, "mine")
            assert.deepStrictEqual(yield* list(withOtherToken), [ofAll])
            for (const [id, authorization, status] of [
              [ofAll?.id, withToken, 200],
              [ofAll?.id, withOtherToken, 200],
              [ofService?.id, withToken, 200],
              [ofService?.id, withOtherToken, 404],
              [none.id, withToken, 404]
            ] as const) {
              assert.strictEqual((yield* call(`${path}/${id}`, { authorization })).status, status)
            }
          })
        )

        it.effect("are neither changed nor deleted, which is said", () =>
          Effect.gen(function* () {
            const body = { name: "other", host: "http://localhost:1" }
            for (const method of ["PUT", "DELETE"]) {
              const request = { method, authorization: withToken, ...(method === "PUT" ? { body } : {}) }
              const refused = yield* call(`${path}/${ofAll?.id}`, request)
              assert.strictEqual(refused.status, 409, refused.text)
              if (name === "neutral") assert.include(refused.text, "is built in")
              const foreign = yield* call(`${path}/${ofService?.id}`, { ...request, authorization: withOtherToken })
              assert.strictEqual(foreign.status, 404)
            }
            assert.deepStrictEqual((yield* list(withToken)).slice(0, 2), [ofAll, ofService])
          })
        )

        if (name !== "clickhouse") return
        it.effect("are what a dashboard may refer to", () =>
          Effect.gen(function* () {
            const create = (connectionId: string | undefined, authorization: string) =>
              call("/api/v2/dashboards", {
                authorization,
                body: {
                  name: "SQL",
                  tags: [],
                  tiles: [
                    {
                      name: "one",
                      x: 0,
                      y: 0,
                      w: 1,
                      h: 1,
                      config: { configType: "sql", displayType: "table", connectionId, sqlTemplate: "SELECT 1" }
                    }
                  ]
                }
              })
            const own = yield* create(ofService?.id, withToken)
            assert.strictEqual(own.status, 200, own.text)
            assert.strictEqual((yield* create(ofAll?.id, withOtherToken)).status, 200)
            for (const [id, authorization] of [
              [ofService?.id, withOtherToken],
              [none.id, withToken]
            ] as const) {
              const refused = yield* create(id, authorization)
              assert.strictEqual(refused.status, 400)
              assert.include(refused.text, `Could not find the following connection IDs: ${id}`)
            }
          })
        )
      }
    )
  }
})
