import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isGateway, type UpstreamOptions } from "../gateway/gatewayFlags.ts"
import { isEmbedded, type MoverOptions, warehouseName } from "../mover/moverFlags.ts"
import { UsageError } from "../StartupError.ts"
import { type ChartOptions, chartFlagsAlone, type QueryUser, readQueryUser } from "./chartFlags.ts"

/** The flags on which it depends whether a server serves charts. */
export type ChartServerOptions = ChartOptions & MoverOptions & UpstreamOptions

/** Whether there is something to read: a warehouse, or a host that stored connections may lead to. */
const hasTarget = (options: ChartServerOptions): boolean =>
  Option.isSome(warehouseName(options)) || options.allowQueryHost.length > 0

/** Whether the server serves charts: with `--charts`, or with a user of queries. */
export const servesCharts = (options: ChartServerOptions, user: Option.Option<QueryUser>): boolean =>
  !isGateway(options) && options.role !== "mover" && hasTarget(options) && (options.charts || Option.isSome(user))

/** What is wrong with flags of charts on a server that serves some. */
const wrongTarget = (options: ChartServerOptions, user: Option.Option<QueryUser>): string | undefined => {
  if (isEmbedded(options) && Option.isSome(user)) {
    return "the embedded engine has one user, with all rights: unset HEADGATE_QUERY_USER, and pass --charts"
  }
  if (!options.allowRawSql || Option.isSome(user) || options.allowQueryHost.length > 0) return undefined
  return isEmbedded(options)
    ? "--allow-raw-sql: the embedded engine has one user, with all rights, so it runs no SQL of callers"
    : "--allow-raw-sql goes with HEADGATE_QUERY_USER and HEADGATE_QUERY_PASSWORD: the rights of that user are all that bounds such SQL"
}

/** What is wrong with the flags of charts; `undefined` for nothing. What stands in the environment alone is ignored where it has no use. */
const wrongFlags = (options: ChartServerOptions, user: Option.Option<QueryUser>): string | undefined => {
  const alone = chartFlagsAlone(options)
  const given = options.charts ? "--charts" : alone[0]
  if (given !== undefined && isGateway(options)) {
    return `the upstream of a gateway answers for charts: leave out ${given}, or --upstream`
  }
  if (given !== undefined && options.role === "mover") {
    return `a server with --role mover serves no charts: leave out ${given}`
  }
  if (!options.charts && Option.isNone(user)) {
    return given === undefined ? undefined : `${given} goes with --charts, or with HEADGATE_QUERY_USER`
  }
  if (hasTarget(options)) return wrongTarget(options, user)
  return given === undefined
    ? undefined
    : `${given} goes with --warehouse or --warehouses: there is nothing else to query`
}

/** Fails with `UsageError` for flags of charts that contradict one another, or the others. */
export const checkCharts = Effect.fnUntraced(function* (options: ChartServerOptions) {
  const message = wrongFlags(options, yield* readQueryUser)
  if (message !== undefined) return yield* new UsageError({ message })
})
