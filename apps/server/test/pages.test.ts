import { assert, layer } from "@effect/vitest"
import { maxPage } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { withToken, environment } from "./support/environment.ts"

const webhooks = Array.from({ length: 5 }, (_, n) => ({ name: `Webhook ${n}`, id: `w${n}` }))
const [first, ...others] = environment.organizations
const savedSearches = webhooks
const connections = webhooks.map((webhook) => ({ ...webhook, host: "localhost:8123" }))
const snapshot = { organizations: [{ ...first, webhooks, savedSearches, alerts: webhooks, connections }, ...others] }

const list = (path: string, query: string) =>
  Effect.map(call(`${path}${query}`, { authorization: withToken }), ({ json, status }) => [status, json])

const idsOf = (data: ReadonlyArray<{ readonly id: string }>) => data.map(({ id }) => id).join(" ")

const pages = [
  ["", "w0 w1 w2 w3 w4", maxPage, 0],
  ["?limit=2", "w0 w1", 2, 0],
  ["?limit=2&offset=4", "w4", 2, 4],
  ["?offset=3", "w3 w4", maxPage, 3],
  ["?offset=99&limit=1", "", 1, 99],
  ["?limit=1&limit=3&other=x", "w0 w1 w2", 3, 0]
] as const

const refused = [
  ["?limit=0", "limit"],
  ["?limit=1001", "limit"],
  ["?limit=1.5", "limit"],
  ["?limit=", "limit"],
  ["?limit=x", "limit"],
  ["?offset=-1", "offset"],
  ["?offset=1e400", "offset"],
  ["?offset=1e1", "offset"],
  ["?offset=", "offset"],
  ["?limit=0x5", "limit"],
  ["?limit=%2B5", "limit"],
  ["?limit=5.0", "limit"]
] as const

overEveryStore((store) => {
  layer(serverOver(store, snapshot), { excludeTestServices: true })(`lists in pages, over ${store.name}`, (it) => {
    for (const path of ["/api/v2/webhooks", "/api/v2/saved-searches", "/api/v2/alerts"]) {
      for (const [query, ids, limit, offset] of pages) {
        it.effect(`GET ${path}${query} answers ${ids === "" ? "none" : ids}`, () =>
          Effect.gen(function* () {
            const [status, { data, meta }] = yield* list(path, query)
            assert.deepStrictEqual([status, idsOf(data), meta], [200, ids, { total: 5, limit, offset }])
          })
        )
      }

      for (const [query, field] of refused) {
        it.effect(`GET ${path}${query} is a 400 that names ${field}`, () =>
          Effect.gen(function* () {
            const [status, { message }] = yield* list(path, query)
            assert.strictEqual(status, 400)
            assert.include(message, `${field}: Expected a whole number from `)
          })
        )
      }
    }

    it.effect("another list has no pages", () =>
      Effect.gen(function* () {
        const { json } = yield* call("/api/v2/connections?limit=2", { authorization: withToken })
        assert.deepStrictEqual([idsOf(json.data), json.meta], ["w0 w1 w2 w3 w4", undefined])
      })
    )
  })
})
