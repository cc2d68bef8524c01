import { assert, layer } from "@effect/vitest"
import { dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { serviceId } from "./support/fullSnapshot.ts"
import { documentsBelow } from "./support/documentsBelow.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { documentRequests, namedDocuments } from "./support/namedDocuments.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, environment, withToken } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const organizationId = sample?.id ?? ""
const stopped = "00000000-0000-4000-8000-0000000000ef"
const unknownService = "00000000-0000-4000-8000-0000000000dd"
const services = [...(sample?.services ?? []), { id: stopped, name: "stopped", state: "stopped" }]
const first = { id: "Kept-1", name: "first" }
const second = { id: "Kept-2", name: "second" }
const kept = [first, second]
const url = "https://hooks.example.com/T0/secret"
const documents = Object.fromEntries(
  documentsBelow(dialects.neutral).map(({ collection, request, stored }) => [
    collection,
    kept.map((document) => ({ ...document, ...request, ...stored }))
  ])
)
const { connections, ...named } = namedDocuments
// The lists hold what the others name, too.
const withNamed = Record.map(named, (all, collection) => [...all, ...(documents[collection] ?? [])])
const snapshot = { organizations: [{ ...sample, services, ...documents, connections, ...withNamed }, ...others] }
const isKept = ({ id }: { readonly id: string }) => id.startsWith("Kept")
const keptIn = (all: ReadonlyArray<{ readonly id: string }>) => all.filter(isKept)

for (const name of dialectNames) {
  const dialect = dialects[name]
  overEveryStore((store) => {
    layer(serverOver(store, snapshot, { dialect }), { excludeTestServices: true })(
      `documents below a service in the ${name} dialect, over ${store.name}`,
      (it) => {
        for (const { isObserved, isPaged, noun, path, request } of documentsBelow(dialect)) {
          const body = { name: "new", ...request }
          const at = (service: string, rest = "") =>
            `/v1/organizations/${organizationId}/services/${service}/${dialect.stackSegment}/${path}${rest}`
          const ask = (path: string, method = "GET", who = "admin", headers = {}) =>
            Effect.map(
              call(path, {
                method,
                authorization: as(who),
                body: method === "PUT" || method === "POST" ? body : undefined,
                headers
              }),
              ({ headers, json, status }) => ({ status, json, etag: headers.get("etag") })
            )

          const observe = (rest = "") =>
            Effect.map(call(`/api/v2/${path}${rest}`, { authorization: withToken }), ({ json }) => json.data)

          it.effect(`${path}: those of the organization${isObserved ? ", as under /api/v2" : ""}`, () =>
            Effect.gen(function* () {
              const { json } = yield* ask(at(serviceId))
              if (isObserved) assert.deepStrictEqual(yield* observe(), json.result)
              // One dialect has the newest dashboards first.
              assert.sameMembers(
                keptIn(json.result).map(({ id }) => id),
                ["Kept-1", "Kept-2"]
              )
              assert.hasAllKeys(json, ["status", "requestId", "result"])
            })
          )

          it.effect(`${path}: are ${isPaged ? "" : "not "}answered in pages`, () =>
            Effect.gen(function* () {
              const all = (yield* ask(at(serviceId))).json.result
              const { json } = yield* ask(at(serviceId, "?limit=1&offset=1"))
              assert.deepStrictEqual(json.result, isPaged ? all.slice(1, 2) : all)
              assert.strictEqual((yield* ask(at(serviceId, "?limit=0"))).status, isPaged ? 400 : 200)
            })
          )

          it.effect(`${path}: are created, read, replaced and deleted, and are seen in each API`, () =>
            Effect.gen(function* () {
              const created = yield* ask(at(serviceId), "POST")
              const { id } = created.json.result
              assert.strictEqual(created.etag, '"1"')
              if (isObserved) assert.deepStrictEqual(yield* observe(`/${id}`), created.json.result)
              const replaced = yield* ask(at(serviceId, `/${id}`), "PUT", "admin", { "if-match": '"1"' })
              assert.strictEqual(replaced.etag, '"2"')
              const late = yield* ask(at(serviceId, `/${id}`), "PUT", "admin", { "if-match": '"1"' })
              assert.strictEqual(late.status, 412)
              const read = yield* ask(at(serviceId, `/${id}`), "GET", "developer")
              // The url of a webhook is a secret.
              const { url: _, ...seen } = replaced.json.result
              assert.deepStrictEqual([read.json.result, read.etag], [seen, '"2"'])
              const deleted = yield* ask(at(serviceId, `/${id}`), "DELETE")
              assert.deepStrictEqual([deleted.status, deleted.json.result], [200, undefined])
              const gone = yield* ask(at(serviceId, `/${id}`))
              assert.strictEqual(gone.status, 404)
              assert.include(gone.json.error, `the organization has no ${noun} `)
            })
          )

          it.effect(`${path}: a key changes what its role may`, () =>
            Effect.gen(function* () {
              const requests = [
                ["GET", ""],
                ["GET", "/Kept-1"],
                ["POST", ""],
                ["PUT", "/Kept-1"],
                ["DELETE", "/Kept-1"]
              ] as const
              for (const [method, rest] of requests) {
                const ofDeveloper = yield* ask(at(serviceId, rest), method, "developer")
                assert.strictEqual(ofDeveloper.status, method === "GET" ? 200 : 403)
                assert.strictEqual((yield* ask(at(serviceId, rest), method, "no-roles")).status, 403)
                assert.strictEqual((yield* ask(at(serviceId, rest), method, "nobody")).status, 401)
              }
            })
          )

          it.effect(`${path}: a service that is unknown, and one that does not run`, () =>
            Effect.gen(function* () {
              for (const [method, rest] of [
                ["GET", ""],
                ["GET", "/Kept-1"],
                ["POST", ""],
                ["PUT", "/Kept-1"],
                ["DELETE", "/Kept-1"]
              ] as const) {
                const unknown = yield* ask(at(unknownService, rest), method)
                assert.strictEqual(unknown.status, 404)
                assert.include(unknown.json.error, "the organization has no service ")
                assert.strictEqual((yield* ask(at(stopped, rest), method)).status, method === "GET" ? 200 : 424)
              }
            })
          )
        }

        it.effect("a webhook is validated, and not stored", () =>
          Effect.gen(function* () {
            const path = `/v1/organizations/${organizationId}/services/${serviceId}/${dialect.stackSegment}/webhooks`
            const stored = (yield* call(path, { authorization: as("developer") })).json.result
            const body = { name: "new", service: "generic", url, headers: { a: "secret" }, other: [1] }
            const good = { valid: true, errors: [], normalized: { name: "new", service: "generic" } }
            const bad = {
              valid: false,
              errors: [
                { path: "name", message: "Expected 1 to 1024 characters" },
                { path: "headers", message: "Expected object | null" }
              ],
              normalized: null
            }
            for (const [sent, answer] of [
              [body, good],
              [{ ...body, name: "", headers: "secret" }, bad]
            ]) {
              const below = yield* call(`${path}/validate`, { authorization: as("developer"), body: sent })
              assert.deepStrictEqual([below.status, below.json.result], [200, answer])
              const observed = yield* call("/api/v2/webhooks/validate", { authorization: withToken, body: sent })
              assert.deepStrictEqual([observed.status, observed.json], [200, answer])
            }
            const long = { ...body, url: "x".repeat(8192) }
            const { json } = yield* call(`${path}/validate`, { authorization: as("developer"), body: long })
            assert.deepStrictEqual(json.result.errors, [{ path: "url", message: "Expected at most 2048 characters" }])
            assert.strictEqual((yield* call(`${path}/validate`, { authorization: as("no-roles"), body })).status, 403)
            assert.deepStrictEqual((yield* call(path, { authorization: as("developer") })).json.result, stored)
          })
        )

        it.effect("the url of a webhook is answered to admin keys and to tokens alone", () =>
          Effect.gen(function* () {
            const path = `/v1/organizations/${organizationId}/services/${serviceId}/${dialect.stackSegment}/webhooks`
            const webhook = { ...first, ...documentRequests.webhook }
            const [all, one] = [{ path, of: "list" } as const, { path: `${path}/Kept-1`, of: "get" } as const]
            for (const { path, of } of [all, one]) {
              const toAdmin = yield* call(path, { authorization: as("admin") })
              const shown = of === "list" ? keptIn(toAdmin.json.result)[0] : toAdmin.json.result
              assert.deepStrictEqual(shown, webhook)
              const toDeveloper = yield* call(path, { authorization: as("developer") })
              const hidden = of === "list" ? keptIn(toDeveloper.json.result)[0] : toDeveloper.json.result
              assert.deepStrictEqual(hidden, { ...first, service: webhook.service })
              // The version of the resource is the same, so that what one key has read another one may change.
              assert.strictEqual(toDeveloper.headers.get("etag"), of === "list" ? null : '"1"')
            }
            const toToken = yield* call("/api/v2/webhooks/Kept-1", { authorization: withToken })
            assert.deepStrictEqual(toToken.json.data, webhook)
            const body = { name: "made", service: "generic", url }
            const created = yield* call(path, { authorization: as("admin"), body })
            assert.strictEqual(created.json.result.url, url)
            const replaced = yield* call(`${path}/${created.json.result.id}`, {
              method: "PUT",
              authorization: as("admin"),
              body
            })
            assert.strictEqual(replaced.json.result.url, url)
          })
        )
      }
    )
  })
}
