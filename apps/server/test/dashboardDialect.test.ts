import { assert, layer } from "@effect/vitest"
import { clickhouse } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { dashboardsPath, withToken, environment } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const place = { x: 0, y: 0, w: 12, h: 4 }
const series = [{ type: "markdown", content: "read me" }]
const seeded = "65f5e4a3b9e77c001a567890"
const imported = "Imported from elsewhere"
const stored = [
  { id: seeded, name: "B", tiles: [{ id: "t1", ...place, name: "Notes", series }], tags: ["a"] },
  { id: imported, name: "C", tiles: [], tags: [] }
]
const source = { id: "65f5e4a3b9e77c0000000001", name: "Logs", kind: "log", connection: "65f5e4a3b9e77c0000000002" }
const snapshot = { organizations: [{ ...sample, dashboards: stored, sources: [source] }, ...others] }

const unknown = "/0123456789abcdef01234567"
const markdown = { name: "Notes", ...place, config: { displayType: "markdown", markdown: "read me" } }
const config = { markdown: "read me", displayType: "markdown" }
const lineOf = (sourceId: string) => ({
  name: "Errors",
  ...place,
  config: { displayType: "line", sourceId, select: [{ aggFn: "count" }] }
})
const filled = { filters: [], savedQuery: null, savedQueryLanguage: null, savedFilterValues: [] }

const json = "application/json"
const plain = "text/plain; charset=utf-8"

/** A request with the token of the organization, and its answer as today's service gives it. */
interface Case {
  readonly who?: string
  readonly request: readonly [method: string, path: string, body?: unknown]
  readonly status: number
  readonly type?: string
  /** The whole body: JSON, or a text. */
  readonly answer: object | string
}

const failed = (message: string) => ({ message: `Body validation failed: ${message}` })
const badId = { message: "Params validation failed: id: Invalid ObjectId" }

// In this order: a case sees what those before it have changed.
const cases: ReadonlyArray<Case> = [
  { who: "Bearer nobody", request: ["GET", ""], status: 401, type: plain, answer: "Unauthorized" },
  { request: ["GET", unknown], status: 404, type: plain, answer: "Not Found" },
  { request: ["GET", "/twelve-chars"], status: 404, type: plain, answer: "Not Found" },
  { request: ["GET", "/none"], status: 400, answer: badId },
  { request: ["DELETE", "/none"], status: 400, answer: badId },
  { request: ["DELETE", unknown], status: 200, answer: {} },
  { request: ["PUT", unknown, { name: "x", tiles: [] }], status: 404, type: plain, answer: "Not Found" },
  { request: ["PUT", unknown, { name: "x" }], status: 400, answer: failed("tiles: Required") },
  { request: ["PUT", "/none", { name: "x", tiles: [] }], status: 400, answer: badId },
  {
    request: ["PUT", "/none", { name: 7 }],
    status: 400,
    answer: failed(`name: Expected string, received number; tiles: Required; ${badId.message}`)
  },
  {
    request: ["PUT", `/${encodeURIComponent(imported)}`, { name: "x" }],
    status: 400,
    answer: failed("tiles: Required")
  },
  {
    request: ["GET", `/${seeded}`],
    status: 200,
    answer: {
      data: { id: seeded, name: "B", tiles: [{ id: "t1", ...place, name: "Notes", config }], tags: ["a"], ...filled }
    }
  },
  {
    request: ["GET", `/${encodeURIComponent(imported)}`],
    status: 200,
    answer: { data: { id: imported, name: "C", tiles: [], tags: [], ...filled } }
  },
  { request: ["POST", "", {}], status: 400, answer: failed("name: Required; tiles: Required") },
  { request: ["POST", "", '{"name":'], status: 400, answer: { message: "Invalid JSON payload" } },
  { request: ["POST", "", []], status: 400, answer: failed("Expected object, received array") },
  {
    request: ["POST", "", { name: 7, tiles: [] }],
    status: 400,
    answer: failed("name: Expected string, received number")
  },
  {
    request: ["POST", "", { name: "x", tiles: [{ ...place, name: "n" }] }],
    status: 400,
    answer: failed("tiles.0: Tile must have either series or config")
  },
  {
    request: ["PUT", `/${seeded}`, { name: "x", tiles: [{ ...markdown, containerId: "zz" }] }],
    status: 400,
    answer: { message: 'tiles.0.containerId: Tile references unknown containerId "zz"' }
  },
  {
    request: ["PUT", `/${seeded}`, { name: "Renamed", tiles: [{ ...markdown, id: "t1" }], unknown: true }],
    status: 200,
    answer: {
      data: {
        id: seeded,
        name: "Renamed",
        tiles: [{ id: "t1", ...place, name: "Notes", config }],
        tags: ["a"],
        ...filled
      }
    }
  },
  {
    request: ["POST", "", { name: "x", tiles: [lineOf("65f5e4a3b9e77c00000000ff")] }],
    status: 400,
    answer: { message: "Could not find the following source IDs: 65f5e4a3b9e77c00000000ff" }
  },
  {
    request: ["PUT", `/${seeded}`, { name: "Renamed", tiles: [{ ...lineOf(source.id), id: "t1" }] }],
    status: 200,
    answer: {
      data: {
        id: seeded,
        name: "Renamed",
        tiles: [
          {
            id: "t1",
            ...place,
            name: "Errors",
            config: {
              sourceId: source.id,
              select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }],
              displayType: "line",
              asRatio: false,
              fillNulls: true
            }
          }
        ],
        tags: ["a"],
        ...filled
      }
    }
  },
  {
    request: ["POST", "/validate", { name: "x", tiles: [] }],
    status: 200,
    answer: { valid: true, errors: [], normalized: { name: "x", tiles: [] } }
  },
  {
    request: ["POST", "/validate", { tiles: [{ ...markdown, w: 0 }] }],
    status: 200,
    answer: {
      valid: false,
      errors: [
        { path: "name", message: "Required" },
        { path: "tiles.0.w", message: "Number must be greater than or equal to 1" }
      ],
      normalized: null
    }
  },
  {
    request: ["POST", "/validate", 7],
    status: 200,
    answer: { valid: false, errors: [{ path: "", message: "Expected object, received number" }], normalized: null }
  }
]

overEveryStore((store) => {
  layer(serverOver(store, snapshot, { dialect: clickhouse }), { excludeTestServices: true })(
    `dashboards in the clickhouse dialect, over ${store.name}`,
    (it) => {
      for (const { answer, request, status, type = json, who = withToken } of cases) {
        const [method, path, body] = request
        it.effect(`${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}: ${status}`, () =>
          Effect.gen(function* () {
            const answered = yield* call(dashboardsPath + path, { method, authorization: who, body })
            assert.strictEqual(answered.status, status, answered.text)
            assert.strictEqual(answered.headers.get("content-type"), type)
            if (typeof answer === "string") assert.strictEqual(answered.text, answer)
            else assert.deepStrictEqual(answered.json, answer)
          })
        )
      }

      it.effect(
        "gives a new dashboard and its tiles ids of 24 hex digits, converts series and drops unknown fields",
        () =>
          Effect.gen(function* () {
            const body = {
              id: "mine",
              name: "A",
              tiles: [{ id: "mine", name: "Notes", ...place, series, x2: 1 }],
              x1: 1
            }
            const { json, status } = yield* call(dashboardsPath, { authorization: withToken, body })
            assert.strictEqual(status, 200)
            const { id, tiles, ...rest } = json.data
            assert.match(id, /^[0-9a-f]{24}$/)
            assert.match(tiles[0].id, /^[0-9a-f]{24}$/)
            assert.deepStrictEqual(tiles, [{ id: tiles[0].id, ...place, name: "Notes", config }])
            assert.deepStrictEqual(rest, { name: "A", tags: [], ...filled })
            assert.deepStrictEqual((yield* call(`${dashboardsPath}/${id}`, { authorization: withToken })).json, json)
            const put = { method: "PUT", authorization: withToken, body: json.data }
            assert.deepStrictEqual((yield* call(`${dashboardsPath}/${id}`, put)).json, json)
          })
      )

      it.effect("lists by name, the last one first", () =>
        Effect.gen(function* () {
          const { json } = yield* call(dashboardsPath, { authorization: withToken })
          const names: ReadonlyArray<string> = json.data.map(({ name }: { name: string }) => name)
          assert.deepStrictEqual(names, names.toSorted().toReversed())
          assert.includeMembers(Array.from(names), ["Renamed", "C", "A"])
        })
      )
    }
  )
})
