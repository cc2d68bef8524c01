import { noCharts, OrganizationConnections } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readQueryUser } from "./chartFlags.ts"
import { servesCharts } from "./checkCharts.ts"
import type { ServerChartOptions } from "./serverCharts.ts"

/** Why a server without charts shows none. */
const chartsOff =
  "this server queries nothing: its operator turns charts on with --charts, or with a user of queries (HEADGATE_QUERY_USER)"

/**
 * The charts of the tables in the warehouses, and the connections to those beside the stored ones. What reads ClickHouse is loaded only by
 * a server that serves charts.
 */
export const layer = (options: ServerChartOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const user = yield* readQueryUser
      if (!servesCharts(options, user)) {
        return Layer.merge(noCharts(chartsOff), Layer.effect(OrganizationConnections, OrganizationConnections))
      }
      const charts = yield* Effect.promise(() => import("./serverCharts.ts"))
      return charts.layer(options, user)
    })
  )
