import * as Schema from "effect/Schema"
import { AggregationFunction, MetricType, NumberFormat } from "../dashboard/config/chartParts.ts"
import {
  anyOf,
  atLeast,
  atMost,
  Integer,
  list,
  ObjectId,
  optional,
  required,
  text
} from "../dashboard/config/fields.ts"
import { TileConfig } from "../dashboard/config/TileConfig.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { chartData, chartQuery, chartTile } from "./ChartQuery.ts"

const sourceId = required(ObjectId, "The id of the data source.")
const whereLanguage = optional(Schema.Literals(["sql", "lucene"]), "The language of `where`: `lucene` if it is absent.")

const Series = looseStruct({
  sourceId,
  aggFn: required(AggregationFunction, "The aggregation function."),
  level: optional(anyOf([0.5, 0.9, 0.95, 0.99]), "The quantile."),
  field: optional(Schema.String, "The expression that is aggregated; not for `count`."),
  where: required(Schema.String, "The condition for the rows of the series; empty: all."),
  whereLanguage,
  groupBy: required(
    list(Schema.String, { max: 10 }),
    "The expressions that the rows are grouped by, the same for all series: at most 10."
  ),
  metricName: optional(Schema.String, "The name of the metric, for a source of metrics."),
  metricDataType: optional(MetricType, "The type of the metric, for a source of metrics.")
}).pipe(withIdentifier("ChartSeriesItem", "A series."))

const Millis = Integer.check(atLeast(1_000_000_000_000))

const ChartSeries = looseStruct({
  series: required(list(Series, { min: 1, max: 5 }), "The series: 1 to 5."),
  startTime: required(Millis, "The beginning of the time range, in milliseconds since 1970, with at least 13 digits."),
  endTime: required(Millis, "The end of the time range, which is part of it, in milliseconds since 1970."),
  granularity: optional(
    Schema.Literals(["30s", "1m", "5m", "10m", "15m", "30m", "1h", "2h", "6h", "12h", "1d", "2d", "7d", "30d", "auto"]),
    "The length of a period. `auto`, the default: at most 60 periods."
  ),
  seriesReturnType: optional(
    Schema.Literals(["ratio", "column"]),
    "The form of the answer. `column`: the rows of all series one after another, with the columns of the database. Absent or `ratio`: the series beside one another."
  )
}).pipe(withIdentifier("ChartSeries", "The request for series."))

const ChartSearch = looseStruct({
  sourceId,
  startTime: optional(
    Schema.String,
    "The beginning of the time range, in ISO 8601. Default: 15 minutes before its end."
  ),
  endTime: optional(Schema.String, "The end of the time range, in ISO 8601. Default: now."),
  where: optional(text({ max: 8192 }), "The condition for the rows. Default: all."),
  whereLanguage,
  select: optional(
    text({ max: 4096 }),
    "The columns, as expressions with commas between them. Default: those of the source."
  ),
  orderBy: optional(text({ max: 1024 }), "The order of the rows. Default: the newest first."),
  maxResults: optional(Integer.check(atLeast(1), atMost(2000)), "The most rows: 1 to 2,000, by default 100."),
  offset: optional(Integer.check(atLeast(0), atMost(10_000)), "How many rows to skip: at most 10,000, by default 0.")
}).pipe(withIdentifier("ChartSearch", "The request for rows of a source."))

/**
 * The requests and the data of charts with all their fields, for documentation and types: ports take requests as they are sent and check them, those of
 * today's service with its texts.
 *
 * @example
 * ```ts
 * import { chartSchemas } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * console.log(Object.keys(Schema.toJsonSchemaDocument(chartSchemas.ChartSearch).definitions)) // [ 'ChartSearch' ]
 * ```
 */
export const chartSchemas = {
  ChartQuery: chartQuery(chartTile(required(TileConfig, "What the tile shows."))),
  ChartData: chartData(NumberFormat),
  ChartSeries,
  ChartSearch,
  NumberFormat
}

/** The types of the requests of {@link chartSchemas}. */
export interface ChartSchemas {
  readonly ChartSeries: typeof ChartSeries.Type
  readonly ChartSearch: typeof ChartSearch.Type
}
