import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"

/** The request for series, as today's service takes it. Its fields are checked by `readSeries`, with the texts of the service. */
export const ChartSeries = looseStruct({}).pipe(withIdentifier("ChartSeries", "The request for series."))
export type ChartSeries = typeof ChartSeries.Type

/** The rows of series, each an object. */
export const SeriesData = Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
  identifier: "SeriesData",
  description: "The rows of series."
})
export type SeriesData = typeof SeriesData.Type
