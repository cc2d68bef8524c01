import { HttpAdapter } from "../src/index.ts"
import * as UserAgent from "../src/layers/UserAgent.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { layerPorts, management } from "./support/ports.ts"
import { assert, describe, it, vi } from "@effect/vitest"
import {
  ApiKeys,
  type DashboardCreate,
  DashboardId,
  Dashboards,
  type DashboardUpdate,
  Pipe,
  PipeId,
  Pipes,
  TileId
} from "@headgate/core"
import { clickhouse, neutral } from "@headgate/http-contract"
import { fullPipe, type OperationName, requestId, sampleCallOf, sampleCalls, samples } from "@headgate/samples"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { readFileSync } from "node:fs"

const address = samples.pipe.get.params
const { organizationId } = samples.key.create.params
const keyCreate = samples.key.create.payload
const dashboardCreate = samples.dashboard.create.payload
const dashboard = samples.dashboard.create.success
const newKeySecret = samples.key.create.success.keySecret ?? ""

const baseUrl = "https://api.test"
const over = (service: ReturnType<typeof scripted>) =>
  layerPorts({ baseUrl, maxRetries: 0, onUnreadable: "fail" }).pipe(Layer.provide(service.layer))

describe("the request and the result of every operation", () => {
  for (const { call, name, operation, requestBody, responseBody, success, target } of sampleCalls) {
    it.effect(`${name}: sends ${operation.method} ${operation.path} once, and returns what the answer holds`, () =>
      Effect.gen(function* () {
        const service = scripted({ status: 200, body: responseBody })
        const result = yield* call.pipe(Effect.provide(over(service)))
        assert.deepStrictEqual(yield* Schema.encodeUnknownEffect(operation.success)(result), success)
        assert.deepStrictEqual(
          service.seen.map(({ body, method, url }) => [method, url, body === "" ? undefined : JSON.parse(body)]),
          [[operation.method, `${baseUrl}${target}`, requestBody]]
        )
      })
    )
  }
})

describe("what the ports give", () => {
  it.effect("a pipe, with the fields that the contract does not name", () =>
    Effect.gen(function* () {
      const read = yield* Pipes.use((pipes) => pipes.get(address))
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Pipe)(read), samples.pipe.get.success)
      assert.strictEqual(read["owner"], fullPipe.owner)
    }).pipe(Effect.provide(over(scripted({ status: 200, body: sampleCallOf("pipe.get").responseBody }))))
  )

  it.effect("nothing for a delete", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* Pipes.use((pipes) => pipes.delete(address)))
    }).pipe(Effect.provide(over(scripted({ status: 200, body: sampleCallOf("pipe.delete").responseBody }))))
  )

  it.effect("a new key, its secret redacted", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 200, body: sampleCallOf("key.create").responseBody })
      const created = yield* ApiKeys.use((keys) => keys.create({ organizationId }, keyCreate)).pipe(
        Effect.provide(over(service))
      )
      assert.strictEqual(created.keyId, samples.key.create.success.keyId)
      assert.isTrue(created.keySecret !== undefined && Redacted.value(created.keySecret) === newKeySecret)
      assert.isFalse(JSON.stringify(created).includes(newKeySecret))
      assert.deepStrictEqual(JSON.parse(service.seen[0]?.body ?? ""), sampleCallOf("key.create").requestBody)
    })
  )

  it.effect("dashboards", () =>
    Effect.gen(function* () {
      const service = scripted(
        { status: 200, body: sampleCallOf("dashboard.create").responseBody },
        { status: 200, body: sampleCallOf("dashboard.list").responseBody },
        { status: 200, body: { data: [] } }
      )
      yield* Effect.gen(function* () {
        const dashboards = yield* Dashboards
        assert.deepStrictEqual(JSON.parse(JSON.stringify(yield* dashboards.create(dashboardCreate))), dashboard)
        assert.strictEqual((yield* dashboards.list()).length, 1)
        assert.strictEqual((yield* dashboards.list()).length, 0)
      }).pipe(Effect.provide(over(service)))
      assert.deepStrictEqual(JSON.parse(service.seen[0]?.body ?? ""), dashboardCreate)
      assert.strictEqual(service.seen.length, 3)
    })
  )

  for (const [dialect, setting] of [
    [neutral, "db_max_threads"],
    [clickhouse, "clickhouse_max_threads"]
  ] as const) {
    it.effect(`the same settings in the dialect ${dialect.name}`, () =>
      Effect.gen(function* () {
        const body = { status: 200, requestId, result: { ...fullPipe, settings: { [setting]: 4 } } }
        const service = scripted({ status: 200, body })
        const read = yield* Pipes.use((pipes) => pipes.get(address)).pipe(
          Effect.provide(HttpAdapter.layerManagement({ baseUrl, dialect, ...management })),
          Effect.provide(service.layer)
        )
        assert.deepStrictEqual(read.settings, { db_max_threads: 4 })
        assert.include(service.seen[0]?.url, `/${dialect.pipesSegment}/`)
      })
    )
  }
})

describe("a new dashboard", () => {
  const requests: ReadonlyArray<readonly [DashboardCreate, unknown]> = [
    [{ name: "Errors" }, { name: "Errors", tiles: [], tags: [] }],
    [
      { name: "Errors", tiles: null, tags: null, savedQuery: null },
      { name: "Errors", tiles: [], tags: [] }
    ],
    [
      {
        name: "Errors",
        tags: ["a"],
        tiles: [{ name: null, x: 0, y: 0, w: 1, h: 1, series: [{ aggFn: null, field: "f" }], others: { deep: null } }],
        others: [null, 1]
      },
      {
        name: "Errors",
        tags: ["a"],
        tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ field: "f" }], others: {} }],
        others: [null, 1]
      }
    ]
  ]
  for (const [request, sent] of requests) {
    it.effect(`always has tiles and tags, and no field that is null: ${JSON.stringify(request)}`, () =>
      Effect.gen(function* () {
        const service = scripted({ status: 200, body: sampleCallOf("dashboard.create").responseBody })
        yield* Dashboards.use((dashboards) => dashboards.create(request)).pipe(Effect.provide(over(service)))
        assert.deepStrictEqual(JSON.parse(service.seen[0]?.body ?? ""), sent)
      })
    )
  }

  it.effect("has the names that the service takes, when it was read from the service of the contract's time", () =>
    Effect.gen(function* () {
      const tile = {
        x: 0,
        y: 0,
        w: 1,
        h: 1,
        seriesReturnType: "ratio",
        series: [{ table: "logs" }, { table: "metrics" }]
      }
      const service = scripted({ status: 200, body: sampleCallOf("dashboard.create").responseBody })
      yield* Dashboards.use((dashboards) => dashboards.create({ name: "Errors", tiles: [tile] })).pipe(
        Effect.provide(over(service))
      )
      const [sent] = JSON.parse(service.seen[0]?.body ?? "").tiles
      assert.strictEqual(sent.asRatio, true)
      assert.deepStrictEqual(
        sent.series.map(({ dataSource }: { dataSource: string }) => dataSource),
        ["events", "metrics"]
      )
    })
  )

  it.effect("leaves the nulls of other requests alone", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 200, body: sampleCallOf("key.create").responseBody })
      const request = { ...keyCreate, hashData: null }
      yield* ApiKeys.use((keys) => keys.create({ organizationId }, request)).pipe(Effect.provide(over(service)))
      assert.strictEqual(JSON.parse(service.seen[0]?.body ?? "").hashData, null)
    })
  )
})

describe("an update of a dashboard", () => {
  const update = Effect.fnUntraced(function* (request: DashboardUpdate) {
    const service = scripted({ status: 200, body: sampleCallOf("dashboard.update").responseBody })
    yield* Dashboards.use((dashboards) => dashboards.update({ dashboardId: DashboardId.make("d 1") }, request)).pipe(
      Effect.provide(over(service))
    )
    assert.match(service.seen[0]?.url ?? "", /\/dashboards\/d%201$/)
    return JSON.parse(service.seen[0]?.body ?? "")
  })

  it.effect("sends an id for every tile, since the service of the contract's time wants one", () =>
    Effect.gen(function* () {
      const place = { x: 0, y: 0, w: 1, h: 1 }
      const { tags, tiles } = yield* update({
        name: "Errors",
        tiles: [{ ...place, id: TileId.make("t1") }, place, place]
      })
      const ids: ReadonlyArray<string> = tiles.map(({ id }: { id: string }) => id)
      assert.strictEqual(ids[0], "t1")
      assert.strictEqual(new Set(ids).size, 3)
      assert.deepStrictEqual(tags, [])
    })
  )

  it.effect("sends null for a saved query, which clears it, and for no other field", () =>
    Effect.gen(function* () {
      const request = { name: "Errors", savedQuery: null, savedQueryLanguage: null, containers: null }
      const cleared = { name: "Errors", savedQuery: null, savedQueryLanguage: null, tiles: [], tags: [] }
      assert.deepStrictEqual(yield* update(request), cleared)
    })
  )
})

describe("the validation of a dashboard", () => {
  it.effect("names fields as this library does, whatever the service writes", () =>
    Effect.gen(function* () {
      const errors = [
        { path: "tiles.0.config.select.1", message: "Required" },
        { path: "tiles[2].w", message: "too small" },
        { path: "", message: "unknown source" }
      ]
      const service = scripted({ status: 200, body: { valid: false, errors, normalized: null } })
      const validation = yield* Dashboards.use((dashboards) => dashboards.validate({ name: "Errors" })).pipe(
        Effect.provide(over(service))
      )
      assert.deepStrictEqual(
        validation.errors.map(({ path }) => path),
        ["tiles[0].config.select[1]", "tiles[2].w", ""]
      )
    })
  )
})

describe("an id that a path cannot hold", () => {
  for (const id of ["", ".", ".."]) {
    it.effect(`${JSON.stringify(id)} is an InvalidRequest, and nothing is sent`, () =>
      Effect.gen(function* () {
        const service = scripted("silence")
        const error = yield* Dashboards.use((dashboards) =>
          dashboards.delete({ dashboardId: DashboardId.make(id) })
        ).pipe(Effect.provide(over(service)), Effect.flip)
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.deepStrictEqual(service.seen, [])
      })
    )
  }
})

describe("a request that is wrong in itself", () => {
  it.effect("names every bad field and is not sent", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      const error = yield* ApiKeys.use((keys) => keys.create({ organizationId }, { name: "", roles: [] })).pipe(
        Effect.provide(over(service)),
        Effect.flip
      )
      if (error._tag !== "InvalidRequest") return assert.fail(error._tag)
      assert.deepStrictEqual(
        error.issues.map(({ path }) => path),
        ["name", "roles"]
      )
      assert.strictEqual(error.attempts, 0)
      assert.strictEqual(service.seen.length, 0)
    })
  )

  it.effect.each([1n, Number.NaN, Number.POSITIVE_INFINITY, new Date(0), Symbol("a"), () => 1, [undefined]])(
    "is so for what JSON cannot say, too, and names it: %s",
    (extra) =>
      Effect.gen(function* () {
        const service = scripted("silence")
        const error = yield* Dashboards.use((dashboards) => dashboards.create({ ...dashboardCreate, extra })).pipe(
          Effect.provide(over(service)),
          Effect.flip
        )
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.include(error.message, "extra")
        assert.strictEqual(service.seen.length, 0)
      })
  )

  it.effect("is so for what holds itself, wherever one looks", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      const tree: { name: string; children: Array<unknown> } = { name: "a", children: [] }
      // Through each child the way goes on in three ways.
      tree.children.push({ parent: tree }, { parent: tree }, { parent: tree })
      const error = yield* Dashboards.use((dashboards) => dashboards.create({ ...dashboardCreate, tree })).pipe(
        Effect.provide(over(service)),
        Effect.flip
      )
      assert.include(
        error.message,
        "tree.children[0].parent: Expected JSON: a value without cycles, at most 500 levels deep"
      )
      assert.strictEqual(service.seen.length, 0)
    })
  )

  it.effect("never leaves its path", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      // What a careless cast makes of a user's input.
      const pipeId = "../../keys" as PipeId
      const error = yield* Pipes.use((pipes) => pipes.get({ ...address, pipeId })).pipe(
        Effect.provide(over(service)),
        Effect.flip
      )
      assert.strictEqual(error._tag, "InvalidRequest")
      assert.include(error.message, "pipeId")
      assert.strictEqual(service.seen.length, 0)
    })
  )
})

describe("a success in an envelope of another make", () => {
  const result = samples.key.create.success
  const envelopes: ReadonlyArray<readonly [string, object]> = [
    ["a requestId that is no UUID", { status: 200, requestId: "req-123" }],
    ["a requestId that is no text", { status: 200, requestId: 7 }],
    ["null for both", { status: null, requestId: null }],
    ["a status that is no number", { status: "ok", requestId }],
    ["a status of letters", { status: "4xx", requestId }],
    ["a status of four digits", { status: 5000, requestId }],
    ["neither", {}]
  ]
  for (const [name, envelope] of envelopes) {
    it.effect(`${name}: the one-time secret of a new key is not lost`, () =>
      Effect.gen(function* () {
        const { keySecret } = yield* ApiKeys.use((keys) => keys.create({ organizationId }, keyCreate)).pipe(
          Effect.provide(over(scripted({ status: 200, body: { ...envelope, result } })))
        )
        assert.strictEqual(keySecret && Redacted.value(keySecret), newKeySecret)
      })
    )

    it.effect(`${name}: a read, a delete and a new dashboard are taken as well`, () =>
      Effect.gen(function* () {
        const body = { ...envelope, result: fullPipe, data: dashboard }
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Pipes.use((pipes) => pipes.get(address))).name, fullPipe.name)
          assert.isUndefined(yield* Pipes.use((pipes) => pipes.delete(address)))
          assert.strictEqual((yield* Dashboards.use(({ create }) => create(dashboardCreate))).name, dashboard.name)
        }).pipe(Effect.provide(over(scripted({ status: 200, body }))))
      })
    )
  }
})

describe("an answer that is wrong in itself", () => {
  const bad: ReadonlyArray<readonly [OperationName, unknown, string]> = [
    ["pipe.get", { status: 200, requestId, result: { ...fullPipe, state: 7, name: undefined } }, "result.name: "],
    ["pipe.get", { status: 200, requestId, result: { ...fullPipe, state: 7 } }, "result.state: "],
    ["pipe.delete", { status: 500, requestId, error: "INTERNAL_ERROR: not deleted" }, "its own status"],
    ["pipe.delete", { status: "404", requestId }, "its own status"],
    ["pipe.delete", { status: 100, requestId }, "its own status"],
    ["pipe.delete", { status: "000", requestId }, "its own status"],
    ["key.create", { ...sampleCallOf("key.create").responseBody, status: 500 }, "its own status"],
    [
      "dashboard.create",
      { ...sampleCallOf("dashboard.create").responseBody, status: 500, requestId },
      "its own status"
    ],
    ["pipe.delete", [], "Expected an object"],
    ["key.create", { status: 200, requestId, result: { keyId: 7, keySecret: newKeySecret } }, "result.key: "],
    ["dashboard.list", { data: Array.from({ length: 1000 }, () => ({ name: "x" })) }, "data[9].id: "],
    ["dashboard.list", { data: Array.from({ length: 1000 }, () => ({ name: "x" })) }, "; and 990 more"],
    ["dashboard.list", { data: [{ id: "d1", name: "x", tiles: [{ id: 7 }] }] }, "data[0].tiles[0].id: "]
  ]
  for (const [name, body, path] of bad) {
    it.effect(`says ${JSON.stringify(path)} and shows no value`, () =>
      Effect.gen(function* () {
        const { call, operation } = sampleCallOf(name)
        const step: Step = { status: 200, body, headers: { "x-request-id": "from-header" } }
        const error = yield* call.pipe(Effect.provide(over(scripted(step))), Effect.flip)
        assert.strictEqual(error._tag, "UnexpectedResponse")
        assert.include(error.message, path)
        assert.isFalse(error.message.includes("SECRET"))
        assert.strictEqual(error.message.includes("it may have taken effect"), !operation.isRepeatable)
        assert.strictEqual(error.status, 200)
        assert.strictEqual(error.requestId, !Predicate.hasProperty(body, "requestId") ? "from-header" : requestId)
      })
    )
  }
})

describe("fetch", () => {
  const withFetch = (inits: Array<RequestInit | undefined>) => {
    const fetch: typeof globalThis.fetch = (_, init) => {
      inits.push(init)
      return Promise.resolve(Response.json(sampleCallOf("pipe.get").responseBody))
    }
    return Layer.succeed(FetchHttpClient.Fetch, fetch)
  }
  const read = Pipes.use((pipes) => pipes.get(address))

  it.effect("follows no redirects, has no credentials of its own, and keeps the options of elsewhere", () =>
    Effect.gen(function* () {
      const inits: Array<RequestInit | undefined> = []
      const adapter = layerPorts({ baseUrl }).pipe(
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(withFetch(inits))
      )
      const init = { keepalive: true, redirect: "follow", credentials: "include" } as const
      // As in a browser.
      vi.stubGlobal("self", globalThis)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllGlobals()))
      yield* read.pipe(Effect.provide(adapter))
      yield* read.pipe(Effect.provide(adapter), Effect.provideService(FetchHttpClient.RequestInit, init))
      yield* read.pipe(
        Effect.provide(Layer.fresh(adapter).pipe(Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, init))))
      )
      assert.deepStrictEqual(
        inits.map((init) => [init?.redirect, init?.keepalive, init?.credentials]),
        [
          ["manual", undefined, "omit"],
          ["manual", true, "include"],
          ["manual", true, "include"]
        ]
      )
    })
  )
})

describe("User-Agent", () => {
  it("has the version of the package", () => {
    const packageJson: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    assert.propertyVal(packageJson, "version", UserAgent.version)
  })

  it("is left to a browser, which names itself", async () => {
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" })
    // With a query it is another module, which looks again where it is.
    const { href } = new URL("../src/layers/UserAgent.ts?browser", import.meta.url)
    const { userAgent }: typeof UserAgent = await import(href)
    vi.unstubAllGlobals()
    assert.strictEqual(userAgent("my-tool/1.2"), identity)
  })
})
