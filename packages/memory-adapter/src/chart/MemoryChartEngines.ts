import { type ConnectionId, FailedDependency, InvalidRequest, type OrganizationId, type PipeId } from "@headgate/core"
import { type ChartEngine, ChartEngines, type ChartTable, columnTypeOf, type TableQuery } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { runQuery } from "./runQuery.ts"
import { dataTypeOf } from "./value/DataType.ts"
import { readValue } from "./value/readValue.ts"
import type { Row } from "./value/Value.ts"

/** A table that charts over {@link MemoryAdapter} read. */
export interface MemoryChartTable {
  /** The data type of each column, as ClickHouse writes it: `{ Timestamp: "DateTime64(3)", Body: "String" }`. */
  readonly columns: Readonly<Record<string, string>>
  /**
   * The rows, by the names of the columns. Whole numbers beyond 2^53 are bigints or texts, decimals are texts, times are `Date` or
   * texts (`2026-11-23T10:00:00.123Z`; without `Z` in the time zone of the column), dates are texts. A column that a row lacks has
   * the default of its type.
   */
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** Tables that charts of an organization read: of a connection, or of a pipe that has created them. */
export interface MemoryChartDatabase {
  readonly organizationId: OrganizationId
  readonly connectionId?: ConnectionId
  readonly pipeId?: PipeId
  /** Its name in sources. Absent: `default`. */
  readonly database?: string
  /** By their names. */
  readonly tables: Readonly<Record<string, MemoryChartTable>>
}

interface StoredTable {
  readonly table: ChartTable
  readonly rows: ReadonlyArray<Row>
}

const storedTable = (database: string, name: string, { columns, rows }: MemoryChartTable): StoredTable => {
  const types = Object.entries(columns).map(([column, text]) => [column, dataTypeOf(text)] as const)
  return {
    table: {
      database,
      name,
      columns: new Map(Object.entries(columns).map(([column, text]) => [column, columnTypeOf(text)])),
      sortingKey: [],
      isVersioned: false,
      warnings: []
    },
    rows: rows.map((row) => types.map(([column, type]) => readValue(row[column], type)))
  }
}

/** What an evaluation throws where a query cannot be evaluated is the failure; everything else is a defect. */
const evaluated = <A>(evaluate: () => A): Effect.Effect<A, InvalidRequest> =>
  Effect.try({ try: evaluate, catch: (error) => error }).pipe(
    Effect.catch((error) =>
      Predicate.isTagged(error, "InvalidRequest") && error instanceof InvalidRequest
        ? Effect.fail(error)
        : Effect.die(error)
    )
  )

const engineOf = (tables: ReadonlyArray<StoredTable>): ChartEngine => {
  const find = (database: string | undefined, name: string) =>
    tables.find(({ table }) => table.name === name && (database === undefined || table.database === database))
  return {
    findTable: Effect.fn("ChartEngine.findTable")((database, name) => Effect.succeed(find(database, name)?.table)),
    query: Effect.fn("ChartEngine.query")((query: TableQuery) =>
      evaluated(() => runQuery(query, ({ database, name }) => find(database, name)?.rows))
    ),
    raw: Effect.fn("ChartEngine.raw")(() =>
      Effect.fail(new InvalidRequest({ message: "SQL is not run in memory", issues: [] }))
    )
  }
}

const noTables = Effect.suspend(() =>
  Effect.fail(new FailedDependency({ message: "this store in memory has no tables for charts" }))
)

/** Tables in memory. Without databases, each call fails with `FailedDependency`. Fails where a row does not fit its columns. */
const layer = (databases: ReadonlyArray<MemoryChartDatabase> = []): Layer.Layer<ChartEngines, InvalidRequest> =>
  Layer.effect(
    ChartEngines,
    Effect.map(
      evaluated(() =>
        databases.map(({ database = "default", tables, ...rest }) => ({
          ...rest,
          database,
          tables: Object.entries(tables).map(([name, table]) => storedTable(database, name, table))
        }))
      ),
      (stored) => ({
        ofConnection: Effect.fn("ChartEngines.ofConnection")(function* (organizationId, connectionId) {
          if (stored.length === 0) return yield* noTables
          const found = stored.filter(
            (one) => one.organizationId === organizationId && one.connectionId === connectionId
          )
          return found.length === 0 ? undefined : engineOf(found.flatMap(({ tables }) => tables))
        }),
        ofPipe: Effect.fn("ChartEngines.ofPipe")(function* (organizationId, pipeId) {
          if (stored.length === 0) return yield* noTables
          const found = stored.find((one) => one.organizationId === organizationId && one.pipeId === pipeId)
          if (found === undefined) return undefined
          const { database, tables } = found
          return { engine: engineOf(tables), database, tables: tables.map(({ table }) => table.name) }
        })
      })
    )
  )

/**
 * The tables of charts, in memory, for code over the port `ChartEngines`. Charts over them are in `MemoryAdapter.layer({ chartTables })`.
 *
 * @example
 * ```ts
 * import { ConnectionId, OrganizationId } from "@headgate/core"
 * import { ChartEngines } from "@headgate/core/adapter"
 * import { MemoryChartEngines } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 *
 * const organizationId = OrganizationId.make("4f9c2b1e-0000-4000-8000-000000000001")
 * const connectionId = ConnectionId.make("65f5e4a3b9e77c001a567890")
 * const tables = { clicks: { columns: { At: "DateTime" }, rows: [{ At: "2026-11-23T10:00:00Z" }] } }
 *
 * const types = Effect.gen(function* () {
 *   const engine = yield* (yield* ChartEngines).ofConnection(organizationId, connectionId)
 *   const table = yield* engine?.findTable(undefined, "clicks") ?? Effect.undefined
 *   return Array.from(table?.columns ?? [], ([name, { kind }]) => `${name}: ${kind}`)
 * })
 * const layer = MemoryChartEngines.layer([{ organizationId, connectionId, tables }])
 * console.log(await Effect.runPromise(Effect.provide(types, layer))) // [ 'At: time' ]
 * ```
 */
export const MemoryChartEngines = { layer }
