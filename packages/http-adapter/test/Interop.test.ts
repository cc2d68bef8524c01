import { assert, describe, it } from "@effect/vitest"
import { ApiKeys, Dashboard, DashboardId, Dashboards, Pipes } from "@headgate/core"
import { clickhouse, neutral } from "@headgate/http-contract"
import { requestId, sampleCallOf, samples } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { HttpAdapter } from "../src/index.ts"
import { testedCalls } from "./support/testedCalls.ts"
import { serve } from "./support/FaultServer.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { faults } from "./support/badAnswers.ts"
import { everyClient } from "./support/clients.ts"
import { layerPorts, management, observability } from "./support/ports.ts"

const address = samples.pipe.get.params
const { organizationId } = samples.key.create.params
const keyCreate = samples.key.create.payload

/** An answer in the shape that a service was seen to give; the values are ours. */
const fixture = (name: string) => {
  const Listed = Schema.Struct({ data: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })
  const text = readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf8")
  return Schema.decodeUnknownSync(Schema.fromJsonString(Listed))(text)
}

const encode = Schema.encodeEffect(Dashboard)

const baseUrl = "https://api.test"
const overObservability = (step: Step) =>
  HttpAdapter.layerObservability({ baseUrl, maxRetries: 0, ...observability }).pipe(Layer.provide(scripted(step).layer))

describe("the answers of dashboards services, old and new", () => {
  const generations = ["dashboards-seed-era", "dashboards-seed-era-internal", "dashboards-today"]
  for (const name of generations) {
    const { data } = fixture(name)

    it.effect(`${name}: a list is read, and loses nothing`, () =>
      Effect.gen(function* () {
        const dashboards = yield* Dashboards.use(({ list }) => list())
        assert.deepStrictEqual(yield* Effect.forEach(dashboards, (dashboard) => encode(dashboard)), data)
        assert.deepStrictEqual(
          dashboards.map(({ name, tiles }) => [name, tiles?.length]),
          data.map((dashboard) => [
            dashboard["name"],
            Array.isArray(dashboard["tiles"]) ? dashboard["tiles"].length : 0
          ])
        )
      }).pipe(Effect.provide(overObservability({ status: 200, body: { data } })))
    )

    it.effect(`${name}: so is what a create answers`, () =>
      Effect.gen(function* () {
        const created = yield* Dashboards.use((dashboards) => dashboards.create({ name: "x", tiles: [] }))
        assert.deepStrictEqual(yield* encode(created), data[0])
      }).pipe(Effect.provide(overObservability({ status: 200, body: { data: data[0] } })))
    )
  }

  it.effect("what has another name there is where it was sent, under that name", () =>
    Effect.gen(function* () {
      const [dashboard] = yield* Dashboards.use(({ list }) => list())
      const [ratio, column] = dashboard?.tiles ?? []
      assert.deepStrictEqual([ratio?.["seriesReturnType"], ratio?.asRatio], ["ratio", undefined])
      assert.deepStrictEqual([column?.series?.[0]?.["table"], column?.series?.[0]?.dataSource], ["metrics", undefined])
      assert.strictEqual(column?.series?.[0]?.aggFn, "p99")
      assert.isNull(dashboard?.tags)
    }).pipe(Effect.provide(overObservability({ status: 200, body: fixture("dashboards-seed-era-internal") })))
  )

  const errors: ReadonlyArray<readonly [string, Step, string, string]> = [
    ["plain text", { status: 401, body: "Unauthorized" }, "Unauthorized", "credentials: Unauthorized"],
    ["plain text", { status: 404, body: "Not Found" }, "UnexpectedResponse", "404"],
    ["a page", { status: 429, body: "<html><h1>Too many</h1></html>" }, "RateLimited", "Too many"],
    [
      "a message",
      { status: 400, body: { message: "Body validation failed: name: Required; tiles: Required" } },
      "InvalidRequest",
      "Body validation failed: name: Required; tiles: Required"
    ],
    [
      "a message",
      { status: 400, body: { message: "Could not find the following source IDs: 64b0" } },
      "InvalidRequest",
      "source IDs: 64b0"
    ]
  ]
  for (const [title, step, tag, says] of errors) {
    it.effect(`an error as ${title}: ${says}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Dashboards.use((dashboards) => dashboards.create({ name: "x", tiles: [] })))
        assert.strictEqual(error._tag, tag)
        assert.include(error.message, says)
      }).pipe(Effect.provide(overObservability(step)))
    )
  }
})

describe("requests of no type", () => {
  // A gateway hands over the JSON that it was sent.
  for (const sent of [
    '{"name":"x","tiles":1}',
    '{"name":"x","tiles":[null]}',
    '{"name":"x","tiles":[{"series":1}]}',
    '{"name":"x","tiles":[{"series":[null]}]}'
  ]) {
    it.effect(`a dashboard ${sent} is refused with the path of what is wrong, and not sent`, () =>
      Effect.gen(function* () {
        const dashboards = yield* Dashboards
        const address = { dashboardId: DashboardId.make("d1") }
        for (const call of [dashboards.create(JSON.parse(sent)), dashboards.update(address, JSON.parse(sent))]) {
          const error = yield* Effect.flip(call)
          assert.strictEqual(error._tag, "InvalidRequest")
          assert.match(error.message, /^tiles/)
        }
      }).pipe(Effect.provide(overObservability({ status: 500 })))
    )
  }
})

describe("the answers of management services", () => {
  for (const dialect of [neutral, clickhouse]) {
    const prefix = dialect === neutral ? "db" : "clickhouse"
    const settings = {
      [`${prefix}_max_threads`]: 4,
      [`${prefix}_max_download_threads`]: null,
      streaming_interval_ms: 5
    }
    const result = {
      id: address.pipeId,
      serviceId: address.serviceId,
      name: "orders",
      state: "Hibernating",
      createdAt: "2026-03-02T08:15:30Z",
      source: { pubsub: { topic: "orders" }, validateSamples: true },
      destination: null,
      settings
    }

    it.effect(`${dialect.name}: a pipe with an unknown source and an unknown state`, () =>
      Effect.gen(function* () {
        const service = scripted({ status: 200, body: { status: 200, requestId, result } })
        const pipe = yield* Pipes.use((pipes) => pipes.get(address)).pipe(
          Effect.provide(HttpAdapter.layerManagement({ baseUrl, dialect, ...management })),
          Effect.provide(service.layer)
        )
        assert.strictEqual(pipe.state, "Hibernating")
        assert.strictEqual(pipe.settings?.db_max_threads, 4)
        assert.deepStrictEqual(JSON.parse(JSON.stringify(pipe.source)), result.source)
        assert.isTrue(service.seen[0]?.url.endsWith(`/${dialect.pipesSegment}/${address.pipeId}`))
      })
    )

    it.effect(`${dialect.name}: unknown fields of a source are passed on, in both directions`, () =>
      Effect.gen(function* () {
        const offset = { strategy: "from_latest", newer: { deep: [1, null] } }
        const source = { kafka: { brokers: "b:9092", newer: "x", offset }, newer: true }
        const service = scripted(
          { status: 200, body: { status: 200, requestId, result: { ...result, source } } },
          { status: 200, body: { status: 200, requestId, result: { ...result, source } } }
        )
        const pipes = yield* Pipes.pipe(
          Effect.provide(HttpAdapter.layerManagement({ baseUrl, dialect, ...management })),
          Effect.provide(service.layer)
        )
        const created = yield* pipes.create(address, { name: "orders", source })
        const updated = yield* pipes.update(address, { source })
        for (const pipe of [created, updated]) assert.deepStrictEqual<unknown>(pipe.source, source)
        for (const { body } of service.seen) assert.deepStrictEqual(JSON.parse(body).source, source)
      })
    )

    it.effect(`${dialect.name}: a key with what grew since`, () =>
      Effect.gen(function* () {
        const key = {
          id: "55555555-5555-4555-8555-555555555555",
          name: "ci",
          state: "enabled",
          roles: [],
          assignedRoles: [{ roleId: "r1", roleType: "custom" }],
          keySuffix: "1a2b",
          expireAt: null,
          usedAt: null,
          ipAccessList: []
        }
        const body = { status: 200, requestId, result: { key } }
        const created = yield* ApiKeys.use((keys) => keys.create({ organizationId }, keyCreate)).pipe(
          Effect.provide(HttpAdapter.layerManagement({ baseUrl, dialect, ...management })),
          Effect.provide(scripted({ status: 200, body }).layer)
        )
        assert.deepStrictEqual(JSON.parse(JSON.stringify(created)), { key })
        assert.isUndefined(created.keySecret)
      })
    )
  }

  it.effect("a delete that answers with more than it must, and with less", () =>
    Effect.gen(function* () {
      const remove = Pipes.use((pipes) => pipes.delete(address))
      for (const body of [
        { ...sampleCallOf("pipe.delete").responseBody, result: null },
        { status: 200, requestId }
      ]) {
        yield* remove.pipe(
          Effect.provide(HttpAdapter.layerManagement({ baseUrl, ...management })),
          Effect.provide(scripted({ status: 200, body }).layer)
        )
      }
    })
  )

  const errors: ReadonlyArray<readonly [string, Step, string, string]> = [
    ["429 with its error alone", { status: 429, body: { error: "TOO_MANY_REQUESTS" } }, "RateLimited", "too many"],
    [
      "424 of a service that sleeps",
      { status: 424, body: { status: 424, error: "FAILED_DEPENDENCY: service is idle", requestId } },
      "FailedDependency",
      "service is idle"
    ],
    ["504 of a proxy", { status: 504, body: "<html><center>nginx</center></html>" }, "ServerError", "nginx"]
  ]
  for (const [title, step, tag, says] of errors) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Pipes.use((pipes) => pipes.get(address)))
        assert.strictEqual(error._tag, tag)
        assert.include(error.message, says)
      }).pipe(
        Effect.provide(HttpAdapter.layerManagement({ baseUrl, maxRetries: 0, ...management })),
        Effect.provide(scripted(step).layer)
      )
    )
  }
})

describe("a base URL as people have it", () => {
  for (const [clientName, client] of everyClient) {
    for (const sample of testedCalls) {
      const ends = sample.operation.api === "observability" ? ["", "/", "/api", "/api/v2/"] : ["", "/", "/v1", "/v1/"]
      it.live(`${sample.name} over ${clientName}, with ${ends.map((end) => JSON.stringify(end)).join(" ")}`, () =>
        Effect.gen(function* () {
          const server = yield* serve((_, response) =>
            faults["a good answer"](response, { good: sample.responseBody, nth: 1 })
          )
          for (const end of ends) {
            yield* sample.call.pipe(Effect.provide(layerPorts({ baseUrl: `${server.baseUrl}${end}` })))
          }
          assert.deepStrictEqual(server.paths, Array(ends.length).fill(sample.target))
        }).pipe(Effect.provide(client))
      )
    }
  }
})
