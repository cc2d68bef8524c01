import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString, passedOn } from "../schema/fieldSchemas.ts"
import type { DashboardContainer, SavedFilterValue } from "./config/configSchemas.ts"
import type { DashboardFilter } from "./config/filters.ts"
import type { TileConfig } from "./config/TileConfig.ts"
import { DashboardId, TileId } from "../id/dashboard.ts"
import { aggregationFunctions, dataSources, metricDataTypes, seriesTypes, whereLanguages } from "./seriesValues.ts"

/**
 * One series of a tile in a response. Every field may be absent and every string is valid. Contract:
 * docs/wire-contract.md#fields-of-a-dashboard.
 */
export const Series = looseStruct({
  type: nullish(knownString(seriesTypes), "The chart type."),
  dataSource: nullish(knownString(dataSources), "The kind of data that is queried."),
  aggFn: nullish(knownString(aggregationFunctions), "The aggregation function."),
  where: nullish(Schema.String, "The filter expression, in `whereLanguage`."),
  whereLanguage: nullish(knownString(whereLanguages), "The language of the filter expression."),
  groupBy: nullish(Schema.Array(Schema.String), "The expressions that the result is grouped by."),
  sourceId: nullish(Schema.String, "The id of the data source."),
  field: nullish(Schema.String, "The column or expression that is aggregated."),
  metricName: nullish(Schema.String, "The name of the metric."),
  metricDataType: nullish(knownString(metricDataTypes), "The type of the metric.")
}).pipe(withIdentifier("Series", "A series of a tile."))
export type Series = typeof Series.Type

/** The fields of a tile that only today's service has: in requests and responses. */
export const configTileFields = {
  config: nullish(passedOn<TileConfig>("TileConfig"), "The chart of the tile in the dialect clickhouse."),
  containerId: nullish(Schema.String, "The id of the container that the tile is in, in the dialect clickhouse."),
  tabId: nullish(Schema.String, "The id of the tab of the container, in the dialect clickhouse.")
}

/** The fields of a dashboard that only today's service has: in requests and responses. */
export const configDashboardFields = {
  savedQuery: nullish(Schema.String, "The query that is set when the dashboard is opened, in the dialect clickhouse."),
  savedQueryLanguage: nullish(knownString(whereLanguages), "The language of `savedQuery`."),
  savedFilterValues: nullish(
    Schema.Array(passedOn<SavedFilterValue>("SavedFilterValue")),
    "What is chosen when the dashboard is opened, in the dialect clickhouse."
  ),
  containers: nullish(
    Schema.Array(passedOn<DashboardContainer>("DashboardContainer")),
    "The groups of tiles, in the dialect clickhouse."
  ),
  filters: nullish(
    Schema.Array(passedOn<DashboardFilter>("DashboardFilter")),
    "The filters of the dashboard, in the dialect clickhouse."
  )
}

/**
 * A tile of a dashboard in a response. Positions and sizes are in cells of the grid. Contract:
 * docs/wire-contract.md#fields-of-a-dashboard.
 */
export const Tile = looseStruct({
  id: TileId,
  name: nullish(Schema.String, "The name of the tile."),
  x: nullish(Schema.Finite, "The column of the left edge, in cells of the grid, from 0."),
  y: nullish(Schema.Finite, "The row of the top edge, in cells of the grid, from 0."),
  w: nullish(Schema.Finite, "The width, in cells of the grid."),
  h: nullish(Schema.Finite, "The height, in cells of the grid."),
  asRatio: nullish(Schema.Boolean, "Whether the chart shows the ratio of two series."),
  series: nullish(Schema.Array(Series), "The series of the chart."),
  ...configTileFields
}).pipe(withIdentifier("Tile", "A tile of a dashboard: a chart and its place in the grid."))
export type Tile = typeof Tile.Type

/**
 * A dashboard made of tiles. `id` and `name` are required. Unknown fields are kept at every depth, so that a program
 * that stores dashboards as files loses nothing. Contract: docs/wire-contract.md#fields-of-a-dashboard,
 * docs/wire-contract.md#create-a-dashboard and docs/wire-contract.md#list-dashboards.
 *
 * @example
 * ```ts
 * import { Dashboard } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * const dashboard = Schema.decodeUnknownSync(Dashboard)({
 *   id: "d-1",
 *   name: "Errors",
 *   tiles: [{ id: "t-1", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count" }], folded: true }]
 * })
 * console.log(dashboard.tiles?.map(({ w }) => w)) // [ 12 ]
 * console.log(JSON.stringify(Schema.encodeSync(Dashboard)(dashboard)).includes("folded")) // true
 * ```
 */
export const Dashboard = looseStruct({
  id: DashboardId,
  name: Schema.String.annotate({ description: "The name of the dashboard." }),
  tiles: nullish(Schema.Array(Tile), "The tiles of the dashboard."),
  tags: nullish(Schema.Array(Schema.String), "The tags of the dashboard."),
  ...configDashboardFields
}).pipe(withIdentifier("Dashboard", "A dashboard made of tiles."))
export type Dashboard = typeof Dashboard.Type
