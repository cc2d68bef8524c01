import { type ChartConnection, type ChartWarehouse, ClickHouseChartEngines } from "@headgate/chart-clickhouse"
import { type ConnectionId, type OrganizationId, Organizations, Services } from "@headgate/core"
import { ConnectionCredentials, makeCharts, MovedPipes } from "@headgate/core/adapter"
import { errorTableOf } from "@headgate/mover-clickhouse"
import { makeAllowedSources, namedByOthers } from "@headgate/mover-runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { connectors } from "../mover/connectors.ts"
import { readWarehouses, type WarehouseOptions } from "../mover/Warehouses.ts"
import { type BuiltIn, makeBuiltInConnections, withBuiltIn } from "./builtInConnections.ts"
import type { QueryDatabase, QueryUser } from "./chartFlags.ts"
import type { ChartServerOptions } from "./checkCharts.ts"
import { warnOfGrants } from "./queryGrants.ts"

/** The flags that charts read. */
export interface ServerChartOptions extends ChartServerOptions {
  readonly dialect: "neutral" | "clickhouse"
}

/** A name as SQL, for statements that somebody copies. */
const quoted = (name: string): string => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``

/** What an operator does so that charts read a server. */
const needsUser = (database: string): string =>
  "this server has no user of queries for the warehouse. On it, run: " +
  "CREATE USER chart_reader IDENTIFIED BY '<password>'; " +
  `GRANT SELECT ON ${quoted(database)}.* TO chart_reader, and the same for each other database of pipes. ` +
  "Then start this server with HEADGATE_QUERY_USER=chart_reader and HEADGATE_QUERY_PASSWORD"

/** A warehouse of the mover as charts read it: a server by the user of queries alone. */
const chartWarehouse = (
  options: WarehouseOptions,
  user: Option.Option<QueryUser>,
  allowInsecureHttp: boolean
): ChartWarehouse => {
  if ("directory" in options) return { _tag: "Embedded", ...options }
  const { database, url } = options
  return Option.match(user, {
    onNone: () => ({ _tag: "NotQueried", message: needsUser(database) }),
    onSome: (as) => ({ _tag: "Server", url, database, ...as, allowInsecureHttp })
  })
}

const isOf = (host: string, warehouse: WarehouseOptions | undefined): boolean =>
  warehouse !== undefined &&
  "url" in warehouse &&
  URL.canParse(host) &&
  URL.canParse(warehouse.url) &&
  new URL(host).origin === new URL(warehouse.url).origin

/**
 * What a connection of an organization leads to. One with the address of a warehouse that the organization has is that warehouse: it is
 * read by the user of queries, and by the rules of its tables.
 */
const makeConnectionOf = (
  builtIn: BuiltIn,
  credentials: ConnectionCredentials["Service"],
  warehouses: ReadonlyMap<string, WarehouseOptions>
) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, connectionId: ConnectionId) {
    const found = yield* builtIn.find(organizationId, connectionId)
    if (found !== undefined) return { _tag: "Warehouse", warehouse: found.warehouse } satisfies ChartConnection
    const target = yield* credentials.of(organizationId, connectionId)
    if (target === undefined) return undefined
    const { host = "", password = Redacted.make(""), username = "default" } = target
    const same = (yield* builtIn.of(organizationId)).find(({ warehouse }) => isOf(host, warehouses.get(warehouse)))
    const connection: ChartConnection =
      same === undefined ? { _tag: "Host", host, username, password } : { _tag: "Warehouse", warehouse: same.warehouse }
    return connection
  })

/** Warns of databases that the operator has named for no organization in a store of several: charts do not read them. */
const warnOfDatabases = Effect.fnUntraced(function* (queryDatabases: ReadonlyArray<QueryDatabase>) {
  const unread = queryDatabases.filter(({ organizationId }) => organizationId === undefined)
  if (unread.length === 0) return
  const { length } = yield* Effect.orElseSucceed(
    Organizations.use((organizations) => organizations.list()),
    () => []
  )
  if (length < 2) return
  const names = unread.map(({ database }) => database).join(", ")
  yield* Effect.logWarning(
    `the store has ${length} organizations, so charts do not read --query-database ${names}: name an organization, as in --query-database <id>=${unread[0]?.database}`
  )
})

/**
 * The charts of the tables in the warehouses, and the connections to the warehouses of this server. With it come the client of ClickHouse and the rules
 * of tables, which only a server with charts needs.
 */
export const layer = (options: ServerChartOptions, user: Option.Option<QueryUser>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { allowQueryHost, allowRawSql, insecureWarehouse, queryDatabase } = options
      const warehouses = yield* readWarehouses(options)
      const [moved, credentials] = [yield* MovedPipes, yield* ConnectionCredentials]
      const builtIn = makeBuiltInConnections(yield* Services, warehouses.keys())
      const errorTables = options.dialect === "clickhouse" ? "clickhouse" : "neutral"
      const reader = { flag: "--allow-query-host", noun: "chart" }
      const engines = ClickHouseChartEngines.layer({
        warehouses: new Map(
          Array.from(warehouses, ([name, one]) => [name, chartWarehouse(one, user, insecureWarehouse)])
        ),
        queryDatabases: queryDatabase,
        connectionOf: makeConnectionOf(builtIn, credentials, warehouses),
        namedByOthers: (organizationId, warehouse, database, tables) =>
          namedByOthers(
            moved,
            {
              connectors,
              engine: {
                database: warehouses.get(warehouse)?.database ?? "default",
                errorTableOf: (table) => errorTableOf(table, errorTables)
              }
            },
            { organizationId, warehouse },
            database,
            tables
          ),
        ...(allowQueryHost.length === 0 ? {} : { addressOf: makeAllowedSources(allowQueryHost, [], reader).resolve }),
        allowInsecureHttp: insecureWarehouse,
        allowRawSql,
        limits: {
          ...Option.match(options.queryTimeout, { onNone: () => ({}), onSome: (seconds) => ({ seconds }) }),
          ...Option.match(options.queryMemory, { onNone: () => ({}), onSome: (memory) => ({ memory }) }),
          ...Option.match(options.queryRows, { onNone: () => ({}), onSome: (rows) => ({ rows }) })
        }
      })
      yield* warnOfDatabases(queryDatabase)
      for (const [name, one] of warehouses) {
        if ("directory" in one || Option.isNone(user)) continue
        yield* Effect.forkScoped(warnOfGrants(name, { ...one, ...user.value }, insecureWarehouse))
      }
      return Layer.merge(Layer.provide(makeCharts, engines), withBuiltIn(builtIn))
    })
  )
