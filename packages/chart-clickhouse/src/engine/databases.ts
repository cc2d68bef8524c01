import {
  embeddedQueries,
  type EngineConfigError,
  EngineFailure,
  type QueryEngine,
  serverQueries
} from "@headgate/clickhouse"
import { type CallError, FailedDependency, InvalidRequest } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { ChartConnection, ChartWarehouse, ClickHouseChartEnginesOptions } from "./options.ts"

const unusable = ({ message }: EngineConfigError) => new FailedDependency({ message })

/** An engine of a warehouse, which is opened when it is first asked for. Opening connects to no server. */
export const openOnce = (warehouse: ChartWarehouse, scope: Scope.Scope): Effect.Effect<QueryEngine, CallError> => {
  let opened: QueryEngine | undefined
  return Effect.gen(function* () {
    if (warehouse._tag === "NotQueried") return yield* new FailedDependency({ message: warehouse.message })
    opened ??= yield* (warehouse._tag === "Embedded" ? embeddedQueries(warehouse) : serverQueries(warehouse)).pipe(
      Scope.provide(scope),
      Effect.mapError(unusable)
    )
    return opened
  })
}

const refuse = (message: string) => Effect.fail(new InvalidRequest({ message, issues: [] }))

/**
 * A database of a connection with a host of its own. The address is that of a host which is allowed; it is found anew for each query, and
 * is the one that the query connects to.
 */
export const hostEngine = Effect.fnUntraced(function* (
  { host, password, username }: ChartConnection & { readonly _tag: "Host" },
  { addressOf, allowInsecureHttp = false }: Pick<ClickHouseChartEnginesOptions, "addressOf" | "allowInsecureHttp">
) {
  const url = URL.canParse(host) ? new URL(host) : undefined
  if (url === undefined)
    return yield* refuse("the host of the connection is no URL such as https://db.example.com:8443")
  if (addressOf === undefined) {
    return yield* refuse(`${url.hostname} is not among the hosts that this server queries (--allow-query-host)`)
  }
  const database = url.searchParams.get("database") ?? "default"
  url.search = ""
  url.hash = ""
  const options = { url: url.href, user: username, password, database, allowInsecureHttp }
  const address = Effect.catch(
    Effect.suspend(() => addressOf(url.hostname)),
    ({ message }) => refuse(message)
  )
  // What is not allowed is said before anything is asked.
  yield* address
  yield* serverQueries(options).pipe(
    Effect.scoped,
    Effect.catch(() =>
      refuse("the host of the connection is no https://HOST:PORT: plain http would send its password in clear")
    )
  )
  const engine: QueryEngine = {
    database,
    run: (sql, settings, parameters) =>
      Effect.gen(function* () {
        const client = yield* serverQueries({ ...options, address: yield* address })
        return yield* client.run(sql, settings, parameters)
      }).pipe(
        Effect.scoped,
        Effect.mapError((error) =>
          error._tag === "EngineFailure" ? error : new EngineFailure({ code: undefined, message: error.message })
        )
      )
  }
  return engine
})
