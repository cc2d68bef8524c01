import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { dashboardsPath, uuidV4, withOtherToken, withToken, environment } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const place = { x: 0, y: 0, w: 12, h: 4 }
const stored = [
  {
    id: "Kept-1",
    name: "Kept",
    tiles: [{ id: "t1", ...place, series: [{ aggFn: "count" }] }],
    tags: ["a"],
    folder: "x"
  },
  { id: "Gone-1", name: "Gone", tiles: [], tags: [] }
]
const snapshot = { organizations: [{ ...sample, dashboards: stored }, ...others] }

const unknown = "/00000000-0000-4000-8000-0000000000dd"
const kept = "/Kept-1"

/** A request with the token of the organization, and its answer: always JSON. */
interface Case {
  readonly request: readonly [method: string, path: string, body?: unknown]
  readonly status: number
  /** The whole body of the answer, or a pattern of the message of an error. */
  readonly answer: object | RegExp
}

const notFound = /^the organization has no dashboard /

// In this order: a case sees what those before it have changed.
const cases: ReadonlyArray<Case> = [
  { request: ["GET", kept], status: 200, answer: { data: stored[0] } },
  { request: ["GET", `${kept}/`], status: 200, answer: { data: stored[0] } },
  { request: ["GET", "/kept-1"], status: 404, answer: notFound },
  { request: ["GET", unknown], status: 404, answer: notFound },
  { request: ["GET", "/a%00b"], status: 404, answer: notFound },
  { request: ["GET", "/%zz"], status: 404, answer: notFound },
  { request: ["DELETE", unknown], status: 404, answer: notFound },
  { request: ["PUT", unknown, { name: "x" }], status: 404, answer: notFound },
  { request: ["PUT", unknown, { name: 7 }], status: 400, answer: /^name: / },
  { request: ["PUT", kept, "{"], status: 400, answer: /JSON/ },
  { request: ["PUT", kept, [1]], status: 400, answer: /^body: Expected a JSON object$/ },
  { request: ["PUT", kept, { name: "x", tiles: [{ ...place, w: 0 }] }], status: 400, answer: /^tiles\[0\]\.w: / },
  {
    request: ["PUT", kept, { name: "x", tiles: [{ x: 0 }] }],
    status: 400,
    answer: /^tiles\[0\]\.y: .*; tiles\[0\]\.w: /
  },
  {
    request: ["PUT", kept, { name: "x", tiles: [{ ...place, series: [{ aggFn: "p95" }] }] }],
    status: 400,
    answer: /^tiles\[0\]\.series\[0\]\.aggFn: Expected "avg" \| /
  },
  { request: ["PUT", "", { name: "x" }], status: 405, answer: /^this path takes POST, GET, HEAD$/ },
  { request: ["PATCH", kept, { name: "x" }], status: 405, answer: /^this path takes GET, HEAD, PUT, DELETE$/ },
  { request: ["GET", "/validate"], status: 405, answer: /^this path takes POST$/ },
  {
    request: [
      "PUT",
      kept,
      { id: "ignored", name: "Renamed", tiles: [{ id: "t1", ...place }], tags: ["b", "b"], of: [1] }
    ],
    status: 200,
    answer: { data: { id: "Kept-1", name: "Renamed", tiles: [{ id: "t1", ...place }], tags: ["b"], of: [1] } }
  },
  {
    request: ["GET", kept],
    status: 200,
    answer: { data: { id: "Kept-1", name: "Renamed", tiles: [{ id: "t1", ...place }], tags: ["b"], of: [1] } }
  },
  { request: ["DELETE", "/Gone-1"], status: 200, answer: {} },
  { request: ["DELETE", "/Gone-1"], status: 404, answer: notFound },
  {
    request: ["POST", "/validate", { name: "x", tiles: [place] }],
    status: 200,
    answer: { valid: true, errors: [] }
  },
  {
    request: ["POST", "/validate", { name: "x", tiles: [{ ...place, h: -1 }] }],
    status: 200,
    answer: { valid: false, errors: [{ path: "tiles[0].h", message: "Expected a number greater than 0" }] }
  },
  { request: ["POST", "/validate", 7], status: 400, answer: /^body: Expected a JSON object$/ }
]

overEveryStore((store) => {
  layer(serverOver(store, snapshot), { excludeTestServices: true })(`dashboards, over ${store.name}`, (it) => {
    for (const { answer, request, status } of cases) {
      const [method, path, body] = request
      it.effect(`${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}: ${status}`, () =>
        Effect.gen(function* () {
          const answered = yield* call(dashboardsPath + path, { method, authorization: withToken, body })
          assert.strictEqual(answered.status, status, answered.text)
          assert.strictEqual(answered.headers.get("content-type"), "application/json")
          assert.match(answered.headers.get("x-request-id") ?? "", uuidV4)
          if (answer instanceof RegExp) {
            assert.deepStrictEqual(Object.keys(answered.json), ["message"])
            assert.match(answered.json.message, answer)
          } else assert.deepStrictEqual(answered.json, answer)
        })
      )
    }

    it.effect("assigns an id to a new tile of an update", () =>
      Effect.gen(function* () {
        const body = { name: "Renamed", tiles: [{ ...place, id: null }, place] }
        const { json } = yield* call(dashboardsPath + kept, { method: "PUT", authorization: withToken, body })
        for (const { id } of json.data.tiles) assert.match(id, uuidV4)
      })
    )

    it.effect("keeps the dashboards of one organization from the token of another", () =>
      Effect.gen(function* () {
        const theirs = { authorization: withOtherToken }
        for (const method of ["GET", "DELETE"]) {
          assert.strictEqual((yield* call(dashboardsPath + kept, { ...theirs, method })).status, 404)
        }
        const update = { ...theirs, method: "PUT", body: { name: "x" } }
        assert.strictEqual((yield* call(dashboardsPath + kept, update)).status, 404)
        assert.strictEqual((yield* call(dashboardsPath + kept, { authorization: withToken })).json.data.name, "Renamed")
      })
    )
  })
})
