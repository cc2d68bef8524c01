import { assert, layer } from "@effect/vitest"
import { ServerError } from "@headgate/core"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { call, liveServer, serverOver, ServerUrl } from "./support/liveServer.ts"
import { decodeSnapshot, overEveryStore } from "./support/stores.ts"
import { as, dashboardsPath, otherOrganizationId, withToken, environment } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const organizationId = sample?.id ?? ""
const serviceId = sample?.services?.[0]?.id ?? ""
const emptyServiceId = "00000000-0000-4000-8000-0000000000ee"

// More than two pages of 256 documents.
const many = Array.from({ length: 600 }, (_, index) => index)
const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`
const pipes = many.map((index) => ({ id: uuid(index), serviceId, name: `pipe ${index}`, state: "Running" }))
const dashboards = many.map((index) => ({ id: `dashboard ${index}`, name: `Dashboard ${index}`, tiles: [], tags: [] }))

const snapshot = {
  organizations: [
    {
      ...sample,
      services: [
        { id: serviceId, name: "service", pipes },
        { id: emptyServiceId, name: "empty" }
      ],
      dashboards
    },
    ...others
  ]
}

const pipesPath = (service: string, organization = organizationId) =>
  `/v1/organizations/${organization}/services/${service}/dbpipes`

const developer = { authorization: as("developer") }

const failingAfter = (document: string) => (after: number) =>
  after === 0
    ? Effect.succeed({ documents: [document], next: 1 })
    : Effect.fail(new ServerError({ message: "the database does not answer" }))

// A store whose second page cannot be read.
const failingStore = Layer.merge(
  MemoryAdapter.layer({ snapshot: decodeSnapshot(snapshot) }),
  Layer.mock(StoredDocuments, {
    dashboards: () => () => Effect.die("not read"),
    pipes: () => failingAfter('{"id":"first"}'),
    // As much as is read before it is sent.
    statuses: () => failingAfter(`{"id":"${"x".repeat(1024 * 1024)}"}`)
  })
)

layer(liveServer(failingStore), { excludeTestServices: true })("a list whose second page fails", (it) => {
  for (const path of ["", "/statuses"]) {
    it.effect(`ends before the end of its body, so that no client takes it for the whole: dbpipes${path}`, () =>
      Effect.gen(function* () {
        const url = yield* ServerUrl
        // The connection is closed before or after the head of the answer, but always before the end of the body.
        const read = yield* Effect.promise(() =>
          fetch(`${url}${pipesPath(serviceId)}${path}`, { headers: developer }).then(
            (response) => response.text().catch(() => "cut short"),
            () => "cut short"
          )
        )
        assert.strictEqual(read, "cut short")
      })
    )
  }
})

overEveryStore((store) => {
  layer(serverOver(store, snapshot), { excludeTestServices: true })(`lists, over ${store.name}`, (it) => {
    it.effect("a list of several pages is whole, in the envelope of its API", () =>
      Effect.gen(function* () {
        const listedPipes = yield* call(pipesPath(serviceId), developer)
        assert.strictEqual(listedPipes.status, 200)
        assert.deepStrictEqual(Object.keys(listedPipes.json), ["status", "requestId", "result"])
        assert.sameDeepMembers(listedPipes.json.result, pipes)
        const listedDashboards = yield* call(dashboardsPath, { authorization: withToken })
        assert.deepStrictEqual(Object.keys(listedDashboards.json), ["data"])
        assert.sameDeepMembers(listedDashboards.json.data, dashboards)
        // Page by page: its length is not known when it begins.
        for (const { headers } of [listedPipes, listedDashboards]) assert.isNull(headers.get("content-length"))
      })
    )

    it.effect("a service without pipes has an empty list", () =>
      Effect.gen(function* () {
        const { json, status } = yield* call(pipesPath(emptyServiceId), developer)
        assert.deepStrictEqual([status, json.result], [200, []])
      })
    )

    it.effect("an unknown service is a 404, another organization a 403, a malformed id a 400", () =>
      Effect.gen(function* () {
        const unknown = yield* call(pipesPath(uuid(1)), developer)
        assert.strictEqual(unknown.status, 404)
        assert.match(unknown.json.error, /^NOT_FOUND: the organization has no service /)
        assert.strictEqual((yield* call(pipesPath(serviceId, otherOrganizationId), developer)).status, 403)
        const malformed = yield* call(pipesPath("mine"), developer)
        assert.strictEqual(malformed.status, 400)
        assert.include(malformed.json.error, "serviceId: ")
      })
    )
  })
})
