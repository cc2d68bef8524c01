import { assert, layer } from "@effect/vitest"
import { dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { withToken, environment } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const imported = { id: "Imported 1", name: "kept" }
const connection = { ...imported, host: "localhost:8123" }
const source = { ...imported, kind: "log", connection: "Imported 2" }
const savedSearch = { ...imported, sourceId: "Imported 2" }
const webhook = { ...imported, service: "generic", url: "https://hooks.example.com/T0" }
// The webhook is deleted, too: nothing is sent to it.
const channel = { type: "email", emailRecipients: ["a@example.com"] }
const condition = { threshold: 1, thresholdType: "above", interval: "5m", channel }
const alert = { ...imported, ...condition, savedSearchId: "Imported 2" }
const snapshot = {
  organizations: [
    {
      ...sample,
      connections: [connection, { ...connection, id: "Imported 2" }],
      sources: [source, { ...source, id: "Imported 2" }],
      savedSearches: [savedSearch, { ...savedSearch, id: "Imported 2" }],
      webhooks: [webhook],
      alerts: [alert]
    },
    ...others
  ]
}

const methods = ["GET", "PUT", "DELETE"]
const unknown = "0123456789abcdef01234567"
const badId = { message: "Params validation failed: id: Invalid ObjectId" }
const plain = "text/plain; charset=utf-8"
const json = "application/json"

interface Kind {
  readonly path: string
  readonly body: object
  /** The methods to which today's service answers a 404 in JSON, with this message. */
  readonly inJson: ReadonlyArray<string>
  readonly message: string
}

const kinds: ReadonlyArray<Kind> = [
  { path: "/api/v2/connections", body: connection, inJson: [], message: "" },
  { path: "/api/v2/sources", body: source, inJson: methods, message: "Source not found" },
  { path: "/api/v2/saved-searches", body: savedSearch, inJson: methods, message: "Saved search not found" },
  { path: "/api/v2/webhooks", body: webhook, inJson: methods, message: "Webhook not found" },
  { path: "/api/v2/alerts", body: alert, inJson: ["DELETE"], message: "Alert not found" }
]

const send = (method: string, path: string, body?: object) =>
  Effect.map(
    call(path, { method, authorization: withToken, body: method === "PUT" ? body : undefined }),
    ({ headers, json, status, text }) => ({ status, type: headers.get("content-type"), text, json })
  )

overEveryStore((store) => {
  for (const name of dialectNames) {
    layer(serverOver(store, snapshot, { dialect: dialects[name] }), { excludeTestServices: true })(
      `documents in the ${name} dialect, over ${store.name}`,
      (it) => {
        for (const { body, inJson, message, path } of kinds) {
          for (const method of methods) {
            it.effect(`${method} ${path}: an id that names nothing, and one that cannot be one`, () =>
              Effect.gen(function* () {
                const nothing = yield* send(method, `${path}/${unknown}`, body)
                assert.strictEqual(nothing.status, 404)
                const twelve = yield* send(method, `${path}/twelve-chars`, body)
                assert.strictEqual(twelve.status, 404)
                const noId = yield* send(method, `${path}/none`, body)
                if (name === "neutral") {
                  assert.deepStrictEqual([nothing.type, noId.type, noId.status], [json, json, 404])
                  return
                }
                assert.deepStrictEqual([noId.status, noId.type, noId.json], [400, json, badId])
                if (inJson.includes(method)) {
                  assert.deepStrictEqual([nothing.type, nothing.json], [json, { message }])
                } else assert.deepStrictEqual([nothing.type, nothing.text], [plain, "Not Found"])
              })
            )
          }

          it.effect(`${path}: a stored id is found, whatever it is`, () =>
            Effect.gen(function* () {
              for (const method of methods) {
                const found = yield* send(method, `${path}/${encodeURIComponent(imported.id)}`, body)
                assert.strictEqual(found.status, 200, found.text)
              }
            })
          )
        }
      }
    )
  }
})
