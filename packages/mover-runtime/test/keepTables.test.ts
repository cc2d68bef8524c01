import { assert, it } from "@effect/vitest"
import { PipeId, ServerError } from "@headgate/core"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { PipeTables, type PipeTable } from "@headgate/core/adapter"
import { VersionedTables, Warehouse } from "@headgate/mover"
import { MemoryVersionedTables } from "@headgate/mover/memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { keepTables } from "../src/warehouse/keepTables.ts"
import { makeMemoryEngine } from "./support/memoryEngine.ts"
import { makeShared, seconds, startProcess, withStore } from "./support/processes.ts"

/** A process whose warehouse tells its table by `knownBy`, and the calls that keep tables. `answers`: whether the store does. */
const makeKept = Effect.fnUntraced(function* () {
  const { context, source, texts } = yield* makeShared()
  const { engine, memory } = makeMemoryEngine()
  const held = yield* PipeTables
  const state = { knownBy: "uuid-1", isCreated: true, answers: true, calls: 0 }
  const tables: PipeTables["Service"] = {
    ...held,
    opened: (opened) =>
      Effect.suspend(() => {
        state.calls += 1
        return state.answers ? held.opened(opened) : Effect.fail(new ServerError({ message: "the store is away" }))
      })
  }
  const warehouse = {
    ...memory.warehouse,
    open: (...parameters: Parameters<Warehouse["Service"]["open"]>) =>
      Effect.map(memory.warehouse.open(...parameters), (destination) => ({
        ...destination,
        tables: new Map([["orders", state.knownBy]]),
        isCreated: state.isCreated
      }))
  }
  const own = { ...engine, warehouse: () => Layer.succeed(Warehouse, warehouse) }
  const withTables = { ...context, engines: new Map([["*", own]]), store: { ...context.store, tables } }
  return { process: yield* startProcess(withTables), source, texts, state, held }
})

it.effect("a table is kept once when a pipe opens it, and again when it is opened anew", () =>
  Effect.gen(function* () {
    const { held, process, source, state } = yield* makeKept()
    const pipe = yield* process.create
    yield* seconds(10)
    const row: PipeTable = {
      ...pipe,
      warehouse: "*",
      database: "analytics",
      table: "orders",
      knownBy: "uuid-1",
      isCreated: true,
      isVersioned: false
    }
    assert.deepStrictEqual(yield* held.list(), [row])
    for (let i = 0; i < 20; i += 1) {
      yield* source.append("0", `row ${i}`)
      yield* seconds(6)
    }
    assert.strictEqual((yield* process.status(pipe)).rows, 20)
    assert.strictEqual(state.calls, 1)

    // As a pipe that an earlier version has opened.
    yield* held.forget("*", "analytics", "orders")
    state.knownBy = "uuid-2"
    state.isCreated = false
    yield* process.setState(pipe, "stop")
    yield* seconds(5)
    yield* process.setState(pipe, "start")
    yield* seconds(10)
    assert.deepStrictEqual(yield* held.list(), [{ ...row, knownBy: "uuid-2", isCreated: false }])
    assert.strictEqual(state.calls, 2)
  }).pipe(Effect.scoped, withStore)
)

it.effect("a store that does not answer delays a pipe, and moves no row before its table is kept", () =>
  Effect.gen(function* () {
    const { held, process, source, state, texts } = yield* makeKept()
    state.answers = false
    yield* source.append("0", "one")
    const pipe = yield* process.create
    yield* seconds(20)
    assert.strictEqual(yield* process.state(pipe), "Degraded")
    assert.include((yield* process.status(pipe)).message ?? "", "the store is away")
    assert.deepStrictEqual(yield* texts, [])
    state.answers = true
    yield* seconds(60)
    assert.strictEqual(yield* process.state(pipe), "Running")
    assert.strictEqual((yield* held.list()).length, 1)
  }).pipe(Effect.scoped, withStore)
)

it.effect("the tables of versions that a pipe opens are kept at once, those that are told from others", () =>
  Effect.gen(function* () {
    const calls: Array<ReadonlyArray<PipeTable>> = []
    const tables = PipeTables.of({
      opened: (opened) => Effect.sync(() => void calls.push(opened)),
      list: () => Effect.succeed([]),
      forget: () => Effect.succeed(false)
    })
    const pipe = {
      organizationId: fixtureIds.organizations.acme,
      serviceId: fixtureIds.services.ingest,
      pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001"),
      warehouse: "*",
      database: "default"
    }
    const table = (name: string) => ({
      name: `public.${name}`,
      target: name,
      columns: [{ name: "id", type: "Int32" }],
      key: ["id"],
      isNew: true
    })
    const memory = MemoryVersionedTables.make().tables
    const known = VersionedTables.of({
      ...memory,
      open: (...parameters) =>
        Effect.map(memory.open(...parameters), (opened) =>
          opened.map((one) =>
            one.target === "c" ? one : { ...one, knownBy: `uuid ${one.target}`, isCreated: one.target === "a" }
          )
        )
    })
    const kept = keepTables(pipe, tables).versionedTables(known)
    assert.deepStrictEqual(
      yield* kept.open(pipe.pipeId, ["a", "b", "c"].map(table)),
      yield* known.open(pipe.pipeId, ["a", "b", "c"].map(table))
    )
    const row = { ...pipe, isVersioned: true }
    assert.deepStrictEqual(calls, [
      [
        { ...row, table: "a", knownBy: "uuid a", isCreated: true },
        { ...row, table: "b", knownBy: "uuid b", isCreated: false }
      ]
    ])
  })
)
