import { chartEnginesLaws, chartsLaws, type LawTable, type LawTables } from "@headgate/conformance"
import { Charts, type Snapshot } from "@headgate/core"
import { ChartEngines, makeCharts, OrganizationCharts } from "@headgate/core/adapter"
import { MemoryAdapter, type MemoryChartDatabase, MemoryChartEngines } from "@headgate/memory-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describeChdb } from "../../mover-clickhouse/test/support/chdb.ts"
import { directory, loadConnections } from "../../mover-clickhouse/test/support/engine.ts"
import { admin, newDatabase, openEngines } from "./support/engines.ts"

const createTable = ({ columns, name, rows }: LawTable, database: string) =>
  Effect.gen(function* () {
    const engine = yield* admin
    const definition = Object.entries(columns).map(([column, type]) => `\`${column}\` ${type}`)
    yield* engine.run(`CREATE TABLE ${database}.${name} (${definition.join(", ")}) ENGINE = MergeTree ORDER BY tuple()`)
    const texts = rows.map((row) => JSON.stringify(row)).join("\n")
    yield* engine.run(
      `INSERT INTO ${database}.${name} SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${texts}`
    )
  })

const layer = ({ connectionId, organizationId, tables }: LawTables): Layer.Layer<ChartEngines, unknown> =>
  Layer.effect(
    ChartEngines,
    Effect.gen(function* () {
      const database = yield* newDatabase
      yield* Effect.forEach(tables, (table) => createTable(table, database))
      const { engines } = yield* openEngines(
        {
          warehouses: new Map([["*", { _tag: "Embedded", directory: directory(), database, load: loadConnections }]]),
          queryDatabases: [{ database }],
          connectionOf: (organization, connection) =>
            Effect.succeed(
              organization === organizationId && connection === connectionId
                ? { _tag: "Warehouse", warehouse: "*" }
                : undefined
            )
        },
        { organizations: [organizationId] }
      )
      return engines
    })
  )

const inMemory = ({ connectionId, organizationId, tables }: LawTables): ReadonlyArray<MemoryChartDatabase> => [
  { organizationId, connectionId, tables: Object.fromEntries(tables.map(({ name, ...table }) => [name, table])) }
]

/** Charts whose dashboards and sources are in memory, and whose rows are in the database. */
const charts = (tables: LawTables, snapshot: Snapshot): Layer.Layer<Charts, unknown> =>
  Layer.effect(
    Charts,
    OrganizationCharts.useSync((charts) => charts.of(tables.organizationId))
  ).pipe(Layer.provide(makeCharts), Layer.provide([MemoryAdapter.layer({ snapshot }), layer(tables)]))

describeChdb("ClickHouse", () => {
  chartEnginesLaws({ name: "ClickHouse", layer, expected: (tables) => MemoryChartEngines.layer(inMemory(tables)) })
  chartsLaws({
    name: "ClickHouse",
    layer: charts,
    expected: (tables, snapshot) =>
      MemoryAdapter.layer({ snapshot, organizationId: tables.organizationId, chartTables: inMemory(tables) })
  })
})
