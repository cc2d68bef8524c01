import { assert, layer } from "@effect/vitest"
import { OrganizationId, PipeCreate, Pipes, PipeState, ServiceId } from "@headgate/core"
import { MovedPipes, PipeMover, PipeSimulation } from "@headgate/core/adapter"
import { makeAllowedSources, makePipeMover } from "@headgate/mover-runtime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as SqlClient from "effect/sql/SqlClient"
import { memoryLedger, OpenLedger, sqlLedger } from "../src/store/OpenLedger.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, liveServer } from "./support/liveServer.ts"
import { decodeSnapshot, overEveryStore } from "./support/stores.ts"
import { as, environment, otherOrganizationId } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const fewServiceId = "00000000-0000-4000-8000-0000000000ee"
const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`

const snapshot = decodeSnapshot({
  organizations: [
    {
      ...sample,
      services: [
        { id: serviceId, name: "many" },
        { id: fewServiceId, name: "few" }
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

/** The mover of a server with the warehouse `*`, over the ledger of the store. */
const mover = Layer.effect(
  PipeMover,
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
    // In the first service more than a page, of which two thirds move rows.
    for (const [service, count] of [
      [serviceId, 300],
      [fewServiceId, 3]
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
        yield* store.ledger.markDone(owner, range, { rows: index, rejected: 1 })
      }
    }
    yield* PipeSimulation.use((simulation) => simulation.forward(Duration.hours(1)))
    return { ...made, warehouses: new Set(["*"]) }
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
const read = (service: string) => call(path(service), { authorization: as("developer") })

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
            Array.from(answered, ({ lag, message, rows, simulated, warehouse }: any) => [
              simulated,
              warehouse,
              rows,
              lag,
              message !== null
            ]),
            Array.from({ length: 300 }, (_, index) =>
              index % 3 === 0
                ? [true, undefined, undefined, undefined, false]
                : [
                    false,
                    index % 3 === 1 ? "*" : "elsewhere",
                    index % 30 === 1 ? index : undefined,
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

      it.effect("of a service that the organization does not have are a 404, of another organization a 403", () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* read(uuid(1))).status, 404)
          const foreign = yield* call(path(serviceId, otherOrganizationId), { authorization: as("developer") })
          assert.strictEqual(foreign.status, 403)
        })
      )
    }
  )
})
