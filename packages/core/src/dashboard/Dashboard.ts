import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { DashboardId, TileId } from "./ids.ts"

/** The known chart types of a series. The contract (section 2.4) shows none: these are those of the service. */
export const seriesTypes = ["time", "table", "number", "histogram", "search", "markdown"] as const
/** The known data sources of a series, as {@link seriesTypes}. */
export const dataSources = ["events", "metrics"] as const
/** The known aggregation functions, as {@link seriesTypes}. */
export const aggregationFunctions = [
  "avg",
  "count",
  "count_distinct",
  "last_value",
  "max",
  "min",
  "quantile",
  "sum",
  "any",
  "none",
  "increase"
] as const
/** The known languages of a filter expression, as {@link seriesTypes}. */
export const whereLanguages = ["lucene", "sql", "promql"] as const
/** The known types of a metric, as {@link seriesTypes}. */
export const metricDataTypes = ["sum", "gauge", "histogram", "summary", "exponential histogram"] as const

/**
 * One series of a tile in a response. The contract (section 2.4) does not show which fields are required and which values
 * are allowed, so every field may be absent and every string is valid.
 */
export const Series = looseStruct({
  type: nullish(knownString(seriesTypes)),
  dataSource: nullish(knownString(dataSources)),
  aggFn: nullish(knownString(aggregationFunctions)),
  /** A filter expression, in `whereLanguage`. */
  where: nullish(Schema.String),
  whereLanguage: nullish(knownString(whereLanguages)),
  groupBy: nullish(Schema.Array(Schema.String)),
  sourceId: nullish(Schema.String),
  field: nullish(Schema.String),
  metricName: nullish(Schema.String),
  metricDataType: nullish(knownString(metricDataTypes))
}).pipe(withIdentifier("Series"))
export type Series = typeof Series.Type

/** A tile of a dashboard in a response. Positions and sizes are in cells of the grid. Contract: section 2.4. */
export const Tile = looseStruct({
  id: TileId,
  name: nullish(Schema.String),
  x: nullish(Schema.Finite),
  y: nullish(Schema.Finite),
  w: nullish(Schema.Finite),
  h: nullish(Schema.Finite),
  asRatio: nullish(Schema.Boolean),
  series: nullish(Schema.Array(Series))
}).pipe(withIdentifier("Tile"))
export type Tile = typeof Tile.Type

/**
 * A dashboard made of tiles. `id` and `name` are required. Unknown fields are kept at every depth, so that a program that
 * stores dashboards as files loses nothing. Contract: sections 2.4, 4.3 and 4.4.
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
  name: Schema.String,
  tiles: nullish(Schema.Array(Tile)),
  tags: nullish(Schema.Array(Schema.String))
}).pipe(withIdentifier("Dashboard"))
export type Dashboard = typeof Dashboard.Type
