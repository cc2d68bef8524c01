import { ConnectionId, Organization, type OrganizationId, Organizations, PipeId, ServiceId } from "@headgate/core"
import { ChartEngines, type PipeTable, PipeTables } from "@headgate/core/adapter"
import { ClickHouse, type EngineFailure } from "@headgate/mover-clickhouse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { directory, embedded, loadConnections } from "../../../mover-clickhouse/test/support/engine.ts"
import { type ChartConnection, ClickHouseChartEngines, type ClickHouseChartEnginesOptions } from "../../src/index.ts"
import { one } from "./organizations.ts"

export const serviceId = ServiceId.make("33333333-3333-4333-8333-333333333333")
export const connectionId = ConnectionId.make("aaaaaaaaaaaaaaaaaaaaaaaa")
export const pipeOf = (organizationId: OrganizationId): PipeId => PipeId.make(organizationId.replaceAll("4", "5"))

/** The engine with the rights of the mover. */
export const admin = Effect.map(Layer.build(embedded), (context) => {
  const engine = Context.get(context, ClickHouse)
  return {
    ...engine,
    lines: (sql: string): Effect.Effect<ReadonlyArray<string>, EngineFailure> =>
      Effect.map(engine.run(sql), (answer) => answer.split("\n").filter((line) => line !== ""))
  }
})

let databases = 0

/** A new database, which ends with the scope. */
export const newDatabase = Effect.gen(function* () {
  const engine = yield* admin
  databases += 1
  const database = `charts_${process.pid}_${databases}`
  yield* engine.run(`CREATE DATABASE ${database} ENGINE = Atomic`)
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
  return database
})

interface Facts {
  readonly organizations?: ReadonlyArray<OrganizationId>
  readonly opened?: ReadonlyArray<PipeTable>
  readonly named?: ReadonlyArray<string>
  readonly connection?: ChartConnection
}

/** The engines of charts with what a store says. By default one organization may read each database that is named. */
export const openEngines = Effect.fnUntraced(function* (
  options: Partial<ClickHouseChartEnginesOptions> = {},
  { connection = { _tag: "Warehouse", warehouse: "*" }, named = [], opened = [], organizations = [one] }: Facts = {}
) {
  const stored = Layer.mergeAll(
    Layer.succeed(PipeTables, {
      opened: () => Effect.void,
      list: (organizationId) =>
        Effect.succeed(opened.filter((table) => (organizationId ?? table.organizationId) === table.organizationId)),
      forget: () => Effect.succeed(false)
    }),
    Layer.succeed(Organizations, {
      list: () => Effect.succeed(organizations.map((id) => Organization.make({ id, name: id }))),
      get: () => Effect.die("not asked"),
      whoami: () => Effect.die("not asked")
    })
  )
  const layer = ClickHouseChartEngines.layer({
    warehouses: new Map([
      ["*", { _tag: "Embedded", directory: directory(), database: "default", load: loadConnections }]
    ]),
    connectionOf: () => Effect.succeed(connection),
    namedByOthers: (_organization, _warehouse, _database, tables) =>
      Effect.succeed(new Set(tables.filter((table) => named.includes(table)))),
    ...options
  })
  const context = yield* Layer.build(layer.pipe(Layer.provide(stored)))
  const engines = Context.get(context, ChartEngines)
  const of = (organizationId: OrganizationId) =>
    Effect.flatMap(engines.ofConnection(organizationId, connectionId), (engine) =>
      engine === undefined ? Effect.die("there is no engine") : Effect.succeed(engine)
    )
  return { engines, of }
})

/** A table that charts of the only organization read. */
export const openTable = Effect.fnUntraced(function* (
  definition: string,
  options: Partial<ClickHouseChartEnginesOptions> = {}
) {
  const [engine, database] = [yield* admin, yield* newDatabase]
  yield* engine.run(`CREATE TABLE ${database}.t ${definition}`)
  const { of } = yield* openEngines({ queryDatabases: [{ database }], ...options })
  const charts = yield* of(one)
  const found = yield* charts.findTable(database, "t")
  if (found === undefined) return yield* Effect.die("the table is not found")
  return { admin: engine, database, charts, table: found }
})
