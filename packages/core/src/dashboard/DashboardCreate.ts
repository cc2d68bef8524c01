import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { configDashboardFields, configTileFields } from "./Dashboard.ts"
import { aggregationFunctions, dataSources, metricDataTypes, seriesTypes, whereLanguages } from "./seriesValues.ts"

/**
 * One series of a tile in a request. Fields such as `type` take any string: the service judges their values. Contract:
 * docs/wire-contract.md#create-a-dashboard.
 */
export const SeriesCreate = looseStruct({
  type: nullish(knownString(seriesTypes), "The chart type."),
  dataSource: nullish(knownString(dataSources), "The kind of data that is queried."),
  aggFn: nullish(knownString(aggregationFunctions), "The aggregation function."),
  where: nullish(Schema.String, "The filter expression, in `whereLanguage`."),
  whereLanguage: nullish(knownString(whereLanguages), "The language of the filter expression."),
  groupBy: nullish(
    Schema.Array(Schema.String).check(Schema.isMaxLength(10, { message: "Expected at most 10 expressions" })),
    "The expressions that the result is grouped by: at most 10."
  ),
  sourceId: nullish(Schema.String, "The id of the data source."),
  field: nullish(Schema.String, "The column or expression that is aggregated."),
  metricName: nullish(Schema.String, "The name of the metric."),
  metricDataType: nullish(knownString(metricDataTypes), "The type of the metric.")
}).pipe(withIdentifier("SeriesCreate", "A series of a new tile."))
export type SeriesCreate = typeof SeriesCreate.Type

/** `x` or `y` of a tile. */
export const Position = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0, { message: "Expected a number of at least 0" })
)
/** `w` or `h` of a tile. */
export const Size = Schema.Finite.check(Schema.isGreaterThan(0, { message: "Expected a number greater than 0" }))

/** The fields of a tile in a request. */
export const tileFields = {
  name: nullish(Schema.String, "The name of the tile."),
  x: Position.annotate({ description: "The column of the left edge, in cells of the grid, from 0." }),
  y: Position.annotate({ description: "The row of the top edge, in cells of the grid, from 0." }),
  w: Size.annotate({ description: "The width, in cells of the grid: more than 0." }),
  h: Size.annotate({ description: "The height, in cells of the grid: more than 0." }),
  asRatio: nullish(Schema.Boolean, "Whether the chart shows the ratio of two series."),
  series: nullish(
    Schema.Array(SeriesCreate).check(Schema.isMaxLength(100, { message: "Expected at most 100 series" })),
    "The series of the chart: at most 100."
  ),
  ...configTileFields
}

/**
 * A tile in a request. `x` and `y` are at least 0, `w` and `h` greater than 0, in cells of the grid. The service
 * assigns an `id` and ignores one in the request. Contract: docs/wire-contract.md#create-a-dashboard.
 */
export const TileCreate = looseStruct(tileFields).pipe(
  withIdentifier("TileCreate", "A tile of a new dashboard. The service assigns its id and ignores one in the request.")
)
export type TileCreate = typeof TileCreate.Type

const Tag = Schema.String.check(Schema.isMaxCodePoints(32, { message: "Expected at most 32 characters" }))

/** The fields of a request whose tiles have this schema. */
export const dashboardFields = <Tile extends Schema.Constraint>(tile: Tile) => ({
  name: Schema.String.annotate({ description: "The name of the dashboard: at most 1024 characters." }).check(
    Schema.isMaxCodePoints(1024, { message: "Expected at most 1024 characters" })
  ),
  tiles: nullish(
    Schema.Array(tile).check(Schema.isMaxLength(500, { message: "Expected at most 500 tiles" })),
    "The tiles of the dashboard: at most 500."
  ),
  tags: nullish(
    Schema.Array(Tag).check(Schema.isMaxLength(50, { message: "Expected at most 50 tags" })),
    "The tags of the dashboard: at most 50 of at most 32 characters. A repeated tag is stored once."
  ),
  ...configDashboardFields
})

/**
 * The request for a new dashboard: a name of at most 1024 characters, at most 500 tiles, at most 50 tags of at most 32
 * characters. Repeated tags are stored once. Contract: docs/wire-contract.md#create-a-dashboard; the limits are
 * decided.
 *
 * @example
 * ```ts
 * import { DashboardCreate } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * export const request: DashboardCreate = {
 *   name: "Errors",
 *   tiles: [{ x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", where: "level:error" }] }]
 * }
 * // Decode a document from outside: the error names every bad field.
 * export const parse = Schema.decodeUnknownEffect(DashboardCreate, { errors: "all" })
 * ```
 */
export const DashboardCreate = looseStruct(dashboardFields(TileCreate)).pipe(
  withIdentifier("DashboardCreate", "The request for a new dashboard.")
)
export type DashboardCreate = typeof DashboardCreate.Type
