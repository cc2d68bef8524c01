import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { type PipeAddress, PipeCreate, Pipes } from "@headgate/core"
import { MovedPipes, PipeMover } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { MemoryConnector, MemoryHistory, MemoryLeases, MemoryLedger } from "@headgate/mover/memory"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { makeAllowedSources, makePipeMover, type MoverContext, runPipes } from "../../src/index.ts"
import { connectorsOf } from "./connectors.ts"
import { makeMemoryEngine } from "./memoryEngine.ts"

const service = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
const request = Schema.decodeUnknownSync(PipeCreate)(pipeRequests.kinesis)

/** A store with a source, a warehouse, a ledger and leases, all in memory. */
export const withStore = Effect.provide(
  Layer.unwrap(Effect.map(fixtureSnapshot, (snapshot) => MemoryAdapter.layer({ snapshot })))
)

/** Lets some seconds pass. What a moment has started goes on before the next one. */
export const seconds = Effect.fnUntraced(function* (count: number) {
  for (let step = 0; step < count * 4; step += 1) {
    yield* TestClock.adjust("250 millis")
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
})

/** What the processes of a test share: the store, the source and the warehouse. `leases`: there are several processes. */
export const makeShared = Effect.fnUntraced(function* (leases?: ReturnType<typeof MemoryLeases.make>) {
  const source = MemoryConnector.make()
  const { engine, memory } = makeMemoryEngine()
  const { ledger, totals } = MemoryLedger.make()
  const context: MoverContext = {
    moved: yield* MovedPipes,
    store: {
      ledger,
      metrics: leases ?? MemoryLeases.make(),
      history: MemoryHistory.make(totals),
      ...(leases === undefined ? {} : { leases })
    },
    engines: new Map([["*", engine]]),
    connectors: connectorsOf(source),
    allowed: makeAllowedSources([]),
    retryTimeout: Duration.minutes(2)
  }
  const texts = Effect.map(memory.rows, (rows) => rows.map(({ text }) => text))
  return { source, texts, context }
})

/** A process that moves the pipes of a store until the scope ends. */
export const startProcess = Effect.fnUntraced(function* (context: MoverContext) {
  const running = yield* runPipes(context)
  const mover = yield* makePipeMover(context, running, { simulateUnsupported: false })
  const pipes = yield* Pipes
  const bound = Effect.provideService(PipeMover, mover)
  return {
    running,
    create: Effect.map(bound(pipes.create(service, request)), ({ id }): PipeAddress => ({ ...service, pipeId: id })),
    setState: (address: PipeAddress, command: "start" | "stop" | "resync") =>
      bound(pipes.setState(address, { command })),
    resumeFromStart: (address: PipeAddress) => bound(pipes.resume(address, { from: "start" })),
    update: (address: PipeAddress, change: Parameters<typeof pipes.update>[1]) => bound(pipes.update(address, change)),
    settings: (address: PipeAddress, change: Parameters<typeof pipes.updateSettings>[1]) =>
      bound(pipes.updateSettings(address, change)),
    discover: bound(pipes.discoverSchema(service, request)),
    status: (address: PipeAddress) => bound(pipes.status(address)),
    history: (address: PipeAddress) => bound(pipes.history(address, {})),
    state: (address: PipeAddress) => Effect.map(bound(pipes.get(address)), ({ state }) => state)
  }
})
