import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { PipeCreate, Pipes } from "@headgate/core"
import { MovedPipes, type PipeRecord, PipeMover } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { VersionedTables, Warehouse, WarehouseRefused } from "@headgate/mover"
import { foreignTable, notOwn, tablesOf } from "@headgate/mover-runtime"
import {
  type CheckOwner,
  ClickHouse,
  ClickHouseVersionedTables,
  ClickHouseWarehouse,
  findTables
} from "@headgate/mover-clickhouse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { describeChdb, embedded } from "../../../packages/mover-clickhouse/test/support/chdb.ts"

import { clickHouseEngine } from "../src/mover/clickHouseEngine.ts"
import { connectors } from "../src/mover/connectors.ts"

const { organizations, services } = fixtureIds
const acme = { organizationId: organizations.acme, serviceId: services.ingest }
const globex = { organizationId: organizations.globex, serviceId: services.globex }
type Place = typeof acme

const bound = { ...PipeMover.defaultValue(), warehouses: new Set(["*"]), checkDestination: () => Effect.succeed("*") }
const requestOf = (table: string, database: string, startPaused = false) =>
  Schema.decodeUnknownSync(PipeCreate)({
    name: table,
    startPaused,
    source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b:9092", topics: "t" } },
    destination: {
      database,
      table,
      managedTable: true,
      columns: [{ name: "n", type: "Int32" }],
      tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["n"] }
    }
  })

/** A store with two organizations, and a database of the engine. */
const makeEnvironment = Effect.gen(function* () {
  const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
  const database = `owners_${process.pid}`
  yield* engine.run(`CREATE DATABASE ${database}`)
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
  const store = yield* Layer.build(MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot }))
  const [pipes, moved] = [Context.get(store, Pipes), Context.get(store, MovedPipes)]
  const names = { engine: clickHouseEngine(engine, "neutral"), connectors }
  const create = (place: Place, table: string, startPaused = false) =>
    pipes.create(place, requestOf(table, database, startPaused)).pipe(Effect.provideService(PipeMover, bound))
  /** What a creation is told of its tables. */
  const refusedName = (place: Place, table: string) =>
    Effect.gen(function* () {
      const { destination } = requestOf(table, database)
      const found = yield* findTables(engine, yield* tablesOf(names, { destination }), database)
      const user = {
        organizationId: place.organizationId,
        warehouse: "*",
        pipe: { destination }
      }
      return yield* foreignTable(moved, names, user, found)
    })
  const checkOf =
    (place: Place, pipe: PipeRecord["pipe"]): CheckOwner =>
    (tables) =>
      Effect.gen(function* () {
        const user = { organizationId: place.organizationId, warehouse: "*", pipe }
        const foreign = yield* Effect.orDie(foreignTable(moved, names, user, tables))
        if (foreign !== undefined) return yield* new WarehouseRefused({ message: notOwn(foreign) })
      })
  const inEngine = Layer.provide(Layer.succeed(ClickHouse, engine))
  /** Opens the destination of a pipe as its mover does, in ranges. */
  const open = Effect.fnUntraced(function* (place: Place, pipe: PipeRecord["pipe"]) {
    const layer = ClickHouseWarehouse.layer({
      destination: pipe.destination ?? {},
      checkOwner: checkOf(place, pipe)
    }).pipe(inEngine)
    return yield* Context.get(yield* Layer.build(layer), Warehouse).open(pipe.id, 10)
  })
  /** Opens it as the target of a table with versions. */
  const openVersioned = Effect.fnUntraced(function* (place: Place, pipe: PipeRecord["pipe"]) {
    const layer = ClickHouseVersionedTables.layer({ database, checkOwner: checkOf(place, pipe) }).pipe(inEngine)
    const target = pipe.destination?.table ?? ""
    const table = { name: "public.a", target, columns: [{ name: "n", type: "Int32" }], key: ["n"], isNew: true }
    return yield* Context.get(yield* Layer.build(layer), VersionedTables).open(pipe.id, [table])
  })
  const isRefused = Effect.fnUntraced(function* (
    effect: Effect.Effect<unknown, { readonly message: string }, Scope.Scope>
  ) {
    const { message } = yield* Effect.flip(effect)
    assert.include(message, "is not this organization's")
    // Nothing of the other organization's pipe.
    assert.notMatch(message, /[0-9a-f]{8}-[0-9a-f]{4}-/)
  })
  return { engine, database, pipes, create, refusedName, open, openVersioned, isRefused }
})

const exists = (engine: ClickHouse["Service"], database: string, table: string) =>
  Effect.map(engine.run(`EXISTS TABLE ${database}.${table} FORMAT TSV`), (answer) => answer.trim() === "1")

describeChdb("the tables of two organizations", () => {
  it.live("are told apart: created, opened, named by a paused pipe, renamed, dropped and made again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { create, database, engine, isRefused, open, openVersioned, pipes, refusedName } = yield* makeEnvironment

        // Named by a pipe that was created with startPaused, and not created yet.
        yield* create(acme, "paused", true)
        assert.strictEqual(yield* refusedName(globex, "paused"), "paused")
        assert.isUndefined(yield* refusedName(acme, "paused"))
        // Error tables are tables, too.
        assert.strictEqual(yield* refusedName(globex, "paused_pipe_errors"), "paused_pipe_errors")
        yield* create(acme, "x_pipe_errors", true)
        assert.strictEqual(yield* refusedName(globex, "x"), "x_pipe_errors")
        assert.isUndefined(yield* refusedName(globex, "pause"))

        // Two creations at the same time passed the check: the first one has the table.
        const [first, second] = [yield* create(acme, "t"), yield* create(globex, "t")]
        yield* isRefused(open(globex, second))
        yield* isRefused(openVersioned(globex, second))
        assert.isFalse(yield* exists(engine, database, "t"))
        yield* open(acme, first)
        yield* isRefused(open(globex, second))
        yield* isRefused(openVersioned(globex, second))
        yield* open(acme, yield* create(acme, "t"))

        // Renamed: nobody names it, and it is the organization's whose pipe created it. So is its error table.
        yield* engine.run(`RENAME TABLE ${database}.t TO ${database}.renamed`)
        assert.strictEqual(yield* refusedName(globex, "renamed"), "renamed")
        assert.isUndefined(yield* refusedName(acme, "renamed"))
        const renamed = yield* create(globex, "renamed")
        yield* isRefused(open(globex, renamed))
        yield* isRefused(openVersioned(globex, renamed))
        yield* open(acme, yield* create(acme, "renamed"))

        // Dropped and made again by hand: nobody has created it, and the first pipe that names it has it.
        yield* engine.run(`DROP TABLE ${database}.renamed SYNC`)
        yield* engine.run(
          `CREATE TABLE ${database}.renamed (n Int32) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 100`
        )
        // Its error table is still there.
        yield* isRefused(open(globex, renamed))
        assert.strictEqual(yield* refusedName(acme, "renamed"), "renamed")
        // Made by a pipe with versions.
        const versioned = yield* create(acme, "v")
        yield* openVersioned(acme, versioned)
        yield* pipes.delete({ ...acme, pipeId: versioned.id })
        assert.strictEqual(yield* refusedName(globex, "v"), "v")
      })
    )
  )
})
