import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrganizationDashboards } from "../../dashboard/Dashboards.ts"
import { OrganizationSources } from "../../dashboard/DashboardSources.ts"
import type { OrganizationId } from "../../id/organization.ts"
import { Charts, OrganizationCharts } from "../Charts.ts"
import { ChartEngines } from "../query/ChartEngines.ts"
import { queryChart } from "./queryChart.ts"
import { querySearch } from "./querySearch.ts"
import { querySeries } from "./querySeries.ts"

/**
 * The charts of every organization over its dashboards and sources, and the databases that its charts read. Expressions of callers are
 * parsed and checked here: a database gets trees alone, but for the SQL of charts that are SQL queries.
 *
 * @example
 * ```ts
 * import { type ChartEngines, makeCharts, type OrganizationDashboards, type OrganizationSources } from "@headgate/core/adapter"
 * import * as Layer from "effect/Layer"
 *
 * // Yours: the documents in your store, and the databases.
 * declare const store: Layer.Layer<OrganizationDashboards | OrganizationSources>
 * declare const engines: Layer.Layer<ChartEngines>
 *
 * export const layer = Layer.provide(makeCharts, Layer.merge(store, engines))
 * ```
 */
export const makeCharts: Layer.Layer<
  OrganizationCharts,
  never,
  OrganizationDashboards | OrganizationSources | ChartEngines
> = Layer.effect(
  OrganizationCharts,
  Effect.gen(function* () {
    const dashboards = yield* OrganizationDashboards
    const sources = yield* OrganizationSources
    const engines = yield* ChartEngines
    return OrganizationCharts.of({
      of: (organizationId: OrganizationId) => {
        const ports = {
          organizationId,
          dashboards: dashboards.of(organizationId),
          sources: sources.of(organizationId),
          engines
        }
        return Charts.of({
          query: Effect.fn("Charts.query")((request) => queryChart(ports, request)),
          series: Effect.fn("Charts.series")((request) => querySeries(ports, request)),
          search: Effect.fn("Charts.search")((request) => querySearch(ports, request))
        })
      }
    })
  })
)
