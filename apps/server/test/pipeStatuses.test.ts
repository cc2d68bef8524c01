import { assert, layer } from "@effect/vitest"
import { OrganizationId, PipeCreate, type PipeId, Pipes, PipeState, ServiceId } from "@headgate/core"
import { MovedPipes, PipeMover, PipeSimulation } from "@headgate/core/adapter"
import { makeAllowedSources, makePipeMover } from "@headgate/mover-runtime"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as SqlClient from "effect/sql/SqlClient"
import { memoryLedger, OpenLedger, sqlLedger } from "../src/store/OpenLedger.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { get as httpGet, type IncomingMessage } from "node:http"
import { gunzipSync } from "node:zlib"
import { call, liveServer, ServerUrl } from "./support/liveServer.ts"
import { decodeSnapshot, overEveryStore } from "./support/stores.ts"
import { as, environment, otherOrganizationId } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const fewServiceId = "00000000-0000-4000-8000-0000000000ee"
const longServiceId = "00000000-0000-4000-8000-0000000000ef"
const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`

/** The texts of these statuses are longer than 1 MiB. */
const longPipes = Array.from({ length: 600 }, (_, index) => ({
  id: uuid(index),
  serviceId: longServiceId,
  name: `pipe ${index}`,
  state: `State ${"x".repeat(2000)}`
}))

const snapshot = decodeSnapshot({
  organizations: [
    {
      ...sample,
      services: [
        { id: serviceId, name: "many" },
        { id: fewServiceId, name: "few" },
        { id: longServiceId, name: "long", pipes: longPipes }
      ]
    },
    ...others
  ]
})

const addressOf = (service: string) => ({
  organizationId: OrganizationId.make(organizationId),
  serviceId: ServiceId.make(service)
})
const request = Schema.decodeUnknownSync(PipeCreate)({
  name: "orders",
  source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "127.0.0.1:9092", topics: "orders" } },
  destination: {
    database: "default",
    table: "orders",
    managedTable: true,
    tableDefinition: { engine: { type: "MergeTree" } },
    columns: [{ name: "n", type: "Int64" }]
  }
})

/** The mover of a server with the warehouse `*`, over the ledger of the store, and what it has kept of pipes. */
class Kept extends Context.Service<
  Kept,
  { readonly save: (pipeId: PipeId, metrics: object) => Effect.Effect<void, unknown> }
>()("test/Kept") {}

const mover = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* Effect.serviceOption(SqlClient.SqlClient)
    const ledgers = Option.match(sql, {
      onNone: () => memoryLedger,
      onSome: (sql) => Layer.provide(sqlLedger, Layer.succeed(SqlClient.SqlClient, sql))
    })
    const store = yield* yield* Effect.provide(OpenLedger, ledgers)
    const context = {
      moved: yield* MovedPipes,
      store,
      engines: new Map(),
      connectors: {},
      allowed: makeAllowedSources([]),
      retryTimeout: Duration.minutes(2)
    }
    const made = yield* makePipeMover(context, new Map(), { simulateUnsupported: false })
    const pipes = yield* Pipes
    const create = (service: string, warehouse: string | undefined) =>
      Effect.provideService(pipes.create(addressOf(service), request), PipeMover, {
        ...PipeMover.defaultValue(),
        checkDestination: () => Effect.succeed(warehouse)
      })
    // In the first service more than a page, of which two thirds move rows; in the last, one after the simulated ones.
    for (const [service, count] of [
      [serviceId, 300],
      [fewServiceId, 3],
      [longServiceId, 2]
    ] as const) {
      for (let index = 0; index < count; index += 1) {
        const { id } = yield* create(service, [undefined, "*", "elsewhere"][index % 3])
        if (index % 3 === 0) continue
        yield* store.metrics.saveMetrics("m", new Map([[id, JSON.stringify({ guarantee: "exactly once", lag: 3 })]]))
        if (index % 30 !== 1) continue
        const owner = yield* store.ledger.take(id)
        yield* store.ledger.begin(owner, { generation: 1, source: "orders", starts: new Map() })
        const range = { pipeId: id, generation: 1, source: "orders", partition: "0", from: "0", to: "9" }
        yield* store.ledger.record(owner, range)
        yield* store.ledger.markDone(owner, range, { rows: index, rejected: 1, bytes: 10 * index })
      }
    }
    yield* PipeSimulation.use((simulation) => simulation.forward(Duration.hours(1)))
    return Context.make(PipeMover, { ...made, warehouses: new Set(["*"]) }).pipe(
      Context.add(
        Kept,
        Kept.of({ save: (id, metrics) => store.metrics.saveMetrics("m", new Map([[id, JSON.stringify(metrics)]])) })
      )
    )
  })
)

/** The statements that an effect runs over SQL. */
const statementsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const count = { statements: 0 }
    const tracer = Tracer.make({
      span: (options) => {
        if (options.kind === "client") count.statements += 1
        return new Tracer.NativeSpan(options)
      }
    })
    return Effect.map(Effect.provideService(effect, Tracer.Tracer, tracer), () => count.statements)
  })

const path = (service: string, organization = organizationId) =>
  `/v1/organizations/${organization}/services/${service}/dbpipes/statuses`
const read = (service: string, known?: string) =>
  call(path(service), {
    authorization: as("developer"),
    ...(known === undefined ? {} : { headers: { "if-none-match": known } })
  })

/** The statuses as they are sent: `fetch` would decompress them. */
const readBytes = Effect.fnUntraced(function* (service: string, acceptEncoding?: string) {
  const url = yield* ServerUrl
  const headers = { authorization: as("developer"), ...(acceptEncoding && { "accept-encoding": acceptEncoding }) }
  return yield* Effect.callback<{ readonly headers: IncomingMessage["headers"]; readonly bytes: Buffer }>((resume) => {
    httpGet(`${url}${path(service)}`, { headers }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("end", () => resume(Effect.succeed({ headers: answer.headers, bytes: Buffer.concat(chunks) })))
    })
  })
})
const resultIn = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString()).result

overEveryStore((store) => {
  const filled = Layer.provideMerge(mover, store.holding(snapshot))
  layer(liveServer(filled), { excludeTestServices: true, timeout: "60 seconds" })(
    `statuses, over ${store.name}`,
    (it) => {
      it.effect("are those of each pipe of the service, on every page, with what was kept of it", () =>
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const statuses = yield* pipes.statuses(addressOf(serviceId))
          assert.lengthOf(statuses, 300)
          for (const { id, ...status } of statuses) {
            assert.deepStrictEqual(status, yield* pipes.status({ ...addressOf(serviceId), pipeId: id }))
          }
          const answered = (yield* read(serviceId)).json.result
          assert.deepStrictEqual(
            Array.from(answered, ({ bytes, lag, message, rows, simulated, warehouse }: any) => [
              simulated,
              warehouse,
              rows,
              bytes,
              lag,
              message !== null
            ]),
            Array.from({ length: 300 }, (_, index) =>
              index % 3 === 0
                ? [true, undefined, undefined, undefined, undefined, false]
                : [
                    false,
                    index % 3 === 1 ? "*" : "elsewhere",
                    index % 30 === 1 ? index : undefined,
                    index % 30 === 1 ? 10 * index : undefined,
                    undefined,
                    index % 3 === 2
                  ]
            )
          )
          const states: ReadonlySet<PipeState> = new Set(statuses.map(({ state }) => state))
          assert.deepStrictEqual(states, new Set<PipeState>(["Running", "Provisioning"]))
          assert.lengthOf((yield* read(fewServiceId)).json.result, 3)
        })
      )

      it.effect("take as many statements for the pipes of a page as for few", () =>
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const few = yield* statementsOf(pipes.statuses(addressOf(fewServiceId)))
          const many = yield* statementsOf(pipes.statuses(addressOf(serviceId)))
          assert.deepStrictEqual([few, many], store.name === "memory" ? [0, 0] : [3, 6])
        })
      )

      it.effect("have a weak tag, by which a caller who has them is answered 304", () =>
        Effect.gen(function* () {
          const first = yield* read(serviceId)
          const etag = first.headers.get("etag") ?? ""
          assert.match(etag, /^W\/"[\w-]{43}"$/)
          for (const known of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
            const { headers, status, text } = yield* read(serviceId, known)
            assert.deepStrictEqual([status, text, headers.get("etag")], [304, "", etag])
            assert.isNotNull(headers.get("x-request-id"))
          }
          const other = yield* read(serviceId, '"other"')
          assert.deepStrictEqual([other.status, other.json.result], [200, first.json.result])
          const few = yield* read(fewServiceId, etag)
          assert.strictEqual(few.status, 200)
          assert.notStrictEqual(few.headers.get("etag"), etag)
        })
      )

      it.effect("have another tag after any change: of a state, of what was kept, of the pipes", () =>
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const { save } = yield* Kept
          const address = addressOf(fewServiceId)
          const [simulated, moved] = yield* pipes.statuses(address)
          if (simulated === undefined || moved === undefined) return assert.fail("the service has three pipes")
          const tags = new Set<string | null>()
          const changes: ReadonlyArray<Effect.Effect<unknown, unknown, PipeSimulation>> = [
            Effect.void,
            save(moved.id, { guarantee: "at least once" }),
            PipeSimulation.use((simulation) =>
              simulation.hold({ ...address, pipeId: simulated.id }, "Failed", "the topic is gone")
            ),
            Effect.provideService(pipes.create(address, request), PipeMover, PipeMover.defaultValue()),
            pipes.delete({ ...address, pipeId: simulated.id })
          ]
          for (const change of changes) {
            const known = (yield* read(fewServiceId)).headers.get("etag") ?? ""
            yield* change
            const { headers, status } = yield* read(fewServiceId, known)
            assert.strictEqual(status, change === Effect.void ? 304 : 200)
            tags.add(headers.get("etag"))
          }
          assert.strictEqual(tags.size, changes.length)
        })
      )

      it.effect("are compressed for those who accept it, whole or streamed, and have one tag either way", () =>
        Effect.gen(function* () {
          for (const service of [serviceId, longServiceId]) {
            const plain = yield* readBytes(service)
            const compressed = yield* readBytes(service, "br, gzip;q=0.5")
            assert.deepStrictEqual(
              [plain, compressed].map(({ headers }) => [headers["content-encoding"], headers["vary"]]),
              [
                [undefined, "accept-encoding"],
                ["gzip", "accept-encoding"]
              ]
            )
            assert.deepStrictEqual(resultIn(gunzipSync(compressed.bytes)), resultIn(plain.bytes))
            assert.isBelow(compressed.bytes.length, plain.bytes.length / 4)
            assert.strictEqual(compressed.headers.etag, plain.headers.etag)
          }
          for (const refused of ["identity", "br", "gzip;q=0", "gzip;q=0.000, br"]) {
            const { bytes, headers } = yield* readBytes(serviceId, refused)
            assert.strictEqual(headers["content-encoding"], undefined)
            assert.deepStrictEqual(resultIn(bytes), (yield* read(serviceId)).json.result)
          }
          // Hardly shorter.
          assert.strictEqual((yield* readBytes(fewServiceId, "gzip")).headers["content-encoding"], undefined)
        })
      )

      it.effect("longer than 1 MiB are streamed, and have no tag", () =>
        Effect.gen(function* () {
          const { headers, json, status } = yield* read(longServiceId, "*")
          assert.deepStrictEqual([status, headers.get("etag"), headers.get("content-length")], [200, null, null])
          assert.deepStrictEqual(
            Array.from(json.result.slice(0, -2), ({ id }: any) => id),
            longPipes.map(({ id }) => id)
          )
          const { guarantee, message, rows } = json.result.at(-1)
          assert.deepStrictEqual([guarantee, message, rows], ["exactly once", null, 1])
        })
      )

      it.effect("of a service that the organization does not have are a 404, of another organization a 403", () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* read(uuid(1), "*")).status, 404)
          const foreign = yield* call(path(serviceId, otherOrganizationId), { authorization: as("developer") })
          assert.strictEqual(foreign.status, 403)
        })
      )
    }
  )
})
