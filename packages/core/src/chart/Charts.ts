import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { ChartNotFound } from "../error/NotFound.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { ChartData, ChartQuery } from "./ChartQuery.ts"
import type { ChartSearch, FoundRows } from "./ChartSearch.ts"
import type { ChartSeries, SeriesData } from "./ChartSeries.ts"

/**
 * The port to the data of the charts of one organization. It changes nothing, and each call may be repeated. Contract:
 * docs/wire-contract.md#charts.
 *
 * Fails with `InvalidRequest` for an expression that is refused, with its position, and for a chart that is not queried; with
 * `ChartNotFound` for a dashboard, tile, source, pipe or table that is not there or that the organization may not read; with
 * `FailedDependency` if this service queries nothing, or its database does not answer; with `ServerError` and `retryAfter` if too
 * many queries wait.
 */
export class Charts extends Context.Service<
  Charts,
  {
    /** The data of a chart. */
    readonly query: (request: ChartQuery) => Effect.Effect<ChartData, CallError | ChartNotFound>
    /** The series of today's service. */
    readonly series: (request: ChartSeries) => Effect.Effect<SeriesData, CallError | ChartNotFound>
    /** The rows of a source, newest first. */
    readonly search: (request: ChartSearch) => Effect.Effect<FoundRows, CallError | ChartNotFound>
  }
>()("@headgate/core/chart/Charts") {}

/**
 * The port to the charts of every organization in a store, as `OrganizationDashboards` is for dashboards.
 *
 * @example
 * ```ts
 * import type { ChartQuery } from "@headgate/core"
 * import { OrganizationCharts, type TokenPrincipal } from "@headgate/core/adapter"
 *
 * export const queryFor = (caller: TokenPrincipal, request: ChartQuery) =>
 *   OrganizationCharts.use((charts) => charts.of(caller.organizationId).query(request))
 * ```
 */
export class OrganizationCharts extends Context.Service<
  OrganizationCharts,
  {
    /** The `Charts` port of one organization. Nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => Charts["Service"]
  }
>()("@headgate/core/chart/OrganizationCharts") {}
