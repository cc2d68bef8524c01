import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"

/**
 * The request for series, as today's service takes it: `chartSchemas.ChartSeries` has its fields. They are checked by the port, with the
 * texts of the service.
 */
export const ChartSeries = looseStruct({}).pipe(withIdentifier("ChartSeries", "The request for series."))
export type ChartSeries = typeof ChartSeries.Type

/**
 * The rows of series, each an object: `ts_bucket`, the beginning of a period in milliseconds since 1970, `group`, the values of `groupBy`,
 * and `series_<i>.data`, a value of each series that has one. With the return type `column`: the columns of the database.
 */
export const SeriesData = Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
  identifier: "SeriesData",
  description: "The rows of series."
})
export type SeriesData = typeof SeriesData.Type
