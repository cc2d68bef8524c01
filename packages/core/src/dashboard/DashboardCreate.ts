import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { aggregationFunctions, dataSources, metricDataTypes, seriesTypes, whereLanguages } from "./Dashboard.ts"

/**
 * One series of a tile in a request. Fields such as `type` take any string: the service judges their values. Contract:
 * section 4.3.
 */
export const SeriesCreate = looseStruct({
  type: nullish(knownString(seriesTypes)),
  dataSource: nullish(knownString(dataSources)),
  aggFn: nullish(knownString(aggregationFunctions)),
  where: nullish(Schema.String),
  whereLanguage: nullish(knownString(whereLanguages)),
  groupBy: nullish(
    Schema.Array(Schema.String).check(Schema.isMaxLength(10, { message: "Expected at most 10 expressions" }))
  ),
  sourceId: nullish(Schema.String),
  field: nullish(Schema.String),
  metricName: nullish(Schema.String),
  metricDataType: nullish(knownString(metricDataTypes))
}).pipe(withIdentifier("SeriesCreate"))
export type SeriesCreate = typeof SeriesCreate.Type

const Position = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0, { message: "Expected a number of at least 0" }))
const Size = Schema.Finite.check(Schema.isGreaterThan(0, { message: "Expected a number greater than 0" }))

/**
 * A tile in a request. `x` and `y` are at least 0, `w` and `h` greater than 0, in cells of the grid. The service assigns
 * an `id` and ignores one in the request. Contract: section 4.3.
 */
export const TileCreate = looseStruct({
  name: nullish(Schema.String),
  x: Position,
  y: Position,
  w: Size,
  h: Size,
  asRatio: nullish(Schema.Boolean),
  series: nullish(Schema.Array(SeriesCreate).check(Schema.isMaxLength(100, { message: "Expected at most 100 series" })))
}).pipe(withIdentifier("TileCreate"))
export type TileCreate = typeof TileCreate.Type

const Tag = Schema.String.check(Schema.isMaxCodePoints(32, { message: "Expected at most 32 characters" }))

/**
 * The request for a new dashboard: a name of at most 1024 characters, at most 500 tiles, at most 50 tags of at most 32
 * characters. Repeated tags are stored once. Contract: section 4.3; the limits are decided.
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
export const DashboardCreate = looseStruct({
  name: Schema.String.check(Schema.isMaxCodePoints(1024, { message: "Expected at most 1024 characters" })),
  tiles: nullish(Schema.Array(TileCreate).check(Schema.isMaxLength(500, { message: "Expected at most 500 tiles" }))),
  tags: nullish(Schema.Array(Tag).check(Schema.isMaxLength(50, { message: "Expected at most 50 tags" })))
}).pipe(withIdentifier("DashboardCreate"))
export type DashboardCreate = typeof DashboardCreate.Type
