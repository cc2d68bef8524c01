import { type CallError, type OrganizationId, Organizations } from "@headgate/core"
import { ChartEngines, PipeTables, type QueryAnswer } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { availableParallelism } from "node:os"
import { env } from "node:process"
import { chartDatabase, type SharedParts } from "./engine/ChartDatabase.ts"
import { hostEngine, openOnce } from "./engine/databases.ts"
import { halfOf, mostAtWork } from "./engine/mostAtWork.ts"
import type { ClickHouseChartEnginesOptions } from "./engine/options.ts"
import { makeQueue } from "./engine/QueryQueue.ts"
import { shareQueries } from "./engine/shareQueries.ts"
import { holdsRows, isHidden, isOfMovers, mayRead } from "./table/readableTables.ts"

const raw = {
  embedded:
    "SQL tiles are not run by an engine inside the process of the server: it cannot keep them to the tables of one organization",
  off: "SQL tiles are not run by this server (--allow-raw-sql)",
  shared: "SQL tiles are not run on a database of several organizations: SQL can name the tables of all of them"
}

/** Look-ups that wait for others, each of which takes milliseconds. */
const mostLookUps = 1000

/** Queries at work, and look-ups, on hosts of connections. */
const hostsAtWork = 8

const make = Effect.fnUntraced(function* (options: ClickHouseChartEnginesOptions) {
  const { allowRawSql = false, limits = {}, queryDatabases = [], warehouses } = options
  const [pipeTables, organizations, scope] = [yield* PipeTables, yield* Organizations, yield* Effect.scope]
  const cores = availableParallelism()
  const isEmbedded = Array.from(warehouses.values()).some(({ _tag }) => _tag === "Embedded")
  const waiting = limits.waiting ?? 32
  const threads = isEmbedded ? (env["UV_THREADPOOL_SIZE"] ?? "4") : undefined
  const queueOf = (atWork: number) => makeQueue({ atWork, atWorkOfOne: limits.atWorkOfOne ?? 2, waiting })
  const shared = {
    bounds: {
      seconds: limits.seconds ?? 10,
      memory: limits.memory ?? 512 * 1024 * 1024,
      rows: limits.rows ?? 1e9,
      threads: halfOf(cores)
    },
    share: shareQueries<QueryAnswer, CallError>(scope)
  }
  const ofWarehouses: SharedParts = {
    ...shared,
    queue: queueOf(mostAtWork({ wanted: limits.atWork, cores, threads })),
    lookUps: makeQueue({ atWork: isEmbedded ? 1 : 4, atWorkOfOne: 4, waiting: mostLookUps })
  }
  // The host of a connection may answer slowly: no query of a warehouse waits for it.
  const ofHosts: SharedParts = { ...shared, queue: queueOf(hostsAtWork), lookUps: queueOf(hostsAtWork) }
  const facts = {
    opened: pipeTables.list,
    organizations: Effect.map(organizations.list(), ({ length }) => length),
    namedByOthers: options.namedByOthers,
    queryDatabases
  }
  const engines = new Map(Array.from(warehouses, ([name, warehouse]) => [name, openOnce(warehouse, scope)]))

  const ofWarehouse = Effect.fnUntraced(function* (organizationId: OrganizationId, warehouse: string) {
    const open = engines.get(warehouse)
    if (open === undefined) return undefined
    const rawRefusal = Effect.map(facts.organizations, (count) => {
      if (warehouses.get(warehouse)?._tag === "Embedded") return raw.embedded
      if (!allowRawSql) return raw.off
      return count > 1 ? raw.shared : undefined
    })
    return chartDatabase({
      ...ofWarehouses,
      organizationId,
      name: `warehouse ${warehouse}`,
      engine: yield* open,
      isHidden,
      mayRead: (database, table, found) => mayRead(facts, { organizationId, warehouse, database, table }, found),
      rawRefusal
    })
  })

  return ChartEngines.of({
    ofConnection: Effect.fn("ChartEngines.ofConnection")(function* (organizationId, connectionId) {
      const connection = yield* options.connectionOf(organizationId, connectionId)
      if (connection === undefined) return undefined
      if (connection._tag === "Warehouse") return yield* ofWarehouse(organizationId, connection.warehouse)
      return chartDatabase({
        ...ofHosts,
        organizationId,
        name: `connection ${connectionId} ${connection.host} ${connection.username}`,
        engine: yield* hostEngine(connection, options),
        isHidden,
        // It is the organization's own database, read by its own user.
        mayRead: (_database, _table, found) => Effect.succeed(holdsRows(found) && !isOfMovers(found)),
        rawRefusal: Effect.succeed(allowRawSql ? undefined : raw.off)
      })
    }),
    ofPipe: Effect.fn("ChartEngines.ofPipe")(function* (organizationId, pipeId) {
      const opened = (yield* pipeTables.list(organizationId)).filter((one) => one.pipeId === pipeId)
      // A pipe that got another destination has opened tables there last.
      const last = opened.at(-1)
      if (last === undefined) return undefined
      const engine = yield* ofWarehouse(organizationId, last.warehouse)
      if (engine === undefined) return undefined
      const { database, warehouse } = last
      const tables = opened.filter(
        (one) =>
          one.isCreated && one.warehouse === warehouse && one.database === database && !isHidden(database, one.table)
      )
      return { engine, database, tables: tables.map(({ table }) => table) }
    })
  })
})

/**
 * The databases of charts, over ClickHouse. Nothing is opened until a chart is asked for. A warehouse that is away fails the queries that
 * need it.
 */
const layer = (options: ClickHouseChartEnginesOptions): Layer.Layer<ChartEngines, never, PipeTables | Organizations> =>
  Layer.effect(ChartEngines, make(options))

/** The databases of charts, over ClickHouse. */
export const ClickHouseChartEngines = { layer }
