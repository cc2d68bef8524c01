import { quantileLevels } from "../dashboard/config/quantileLevels.ts"
import * as Equal from "effect/Equal"
import * as Schema from "effect/Schema"
import { AggregationFunction, MetricType, NumberFormat, WhereLanguage } from "../dashboard/config/chartParts.ts"
import {
  anyOf,
  atLeast,
  atMost,
  Integer,
  list,
  ObjectId,
  optional,
  required,
  text,
  together
} from "../dashboard/config/fields.ts"
import { TileConfig } from "../dashboard/config/TileConfig.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { chartData, chartQuery, chartTile, granularities } from "./ChartQuery.ts"

// The orders of fields, checks and messages are those of the service: `readBody` reads requests by them.

const Item = looseStruct({
  sourceId: required(ObjectId, "The id of the data source."),
  aggFn: required(AggregationFunction, "The aggregation function."),
  level: optional(anyOf(quantileLevels), "The quantile."),
  field: optional(Schema.String, "The expression that is aggregated; not for `count`."),
  where: required(Schema.String, "The condition for the rows of the series; empty: all."),
  whereLanguage: optional(WhereLanguage, "The language of `where`: `lucene` if it is absent. `promql` is not queried."),
  groupBy: required(
    list(Schema.String, { max: 10 }),
    "The expressions that the rows are grouped by, the same for all series: at most 10."
  ),
  metricDataType: optional(MetricType, "The type of the metric, for a source of metrics."),
  metricName: optional(Schema.String, "The name of the metric, for a source of metrics: `field` if it is absent.")
}).pipe(withIdentifier("ChartSeriesItem", "A series."))

const digitsOfMillis = 13

const Millis = Schema.Number.check(
  Schema.isInt({ message: "Timestamp must be an integer" }),
  Schema.isGreaterThan(0, { message: "Timestamp must be positive" }),
  Schema.makeFilter((value: number) => String(value).length >= digitsOfMillis, {
    message: "Timestamp must be in milliseconds",
    toJsonSchema: () => ({ minimum: 10 ** (digitsOfMillis - 1) })
  })
)

// Of the periods of charts, the service takes these.
const taken = granularities.filter((one) => one !== "1s" && one !== "15s")

const ChartSeries = looseStruct({
  series: required(
    list(Item, { max: 5 }).check(
      Schema.isMinLength(1, { message: "Series array cannot be empty" }),
      together((series, report) => {
        const [first] = series
        if (series.some(({ groupBy }) => !Equal.equals(groupBy, first?.groupBy))) {
          report("All series must have the same groupBy fields")
        }
      })
    ),
    "The series: 1 to 5."
  ),
  endTime: required(Millis, "The end of the time range, which is part of it, in milliseconds since 1970."),
  granularity: optional(
    Schema.Literals([...taken, "auto"]),
    "The length of a period. `auto`, the default: at most 60 periods."
  ),
  startTime: required(Millis, "The beginning of the time range, in milliseconds since 1970, with at least 13 digits."),
  seriesReturnType: optional(
    Schema.Literals(["ratio", "column"]),
    "The form of the answer. `column`: the rows of all series one after another, with the columns of the database. Absent or `ratio`: the series beside one another."
  )
}).pipe(withIdentifier("ChartSeries", "The request for series."))

const SearchedSource = text({ min: 1, tooShort: "sourceId is required" }).check(
  Schema.isPattern(/^(?:[0-9a-fA-F]{24}|[\s\S]{12})$/u, { message: "sourceId must be a valid ObjectId" })
)

const ChartSearch = looseStruct({
  sourceId: required(SearchedSource, "The id of the data source: 24 hex digits."),
  startTime: optional(
    Schema.String,
    "The beginning of the time range, in ISO 8601. Default: 15 minutes before its end."
  ),
  endTime: optional(Schema.String, "The end of the time range, in ISO 8601. Default: now."),
  where: optional(text({ max: 8192 }), "The condition for the rows. Default: all."),
  whereLanguage: optional(Schema.Literals(["lucene", "sql"]), "The language of `where`: `lucene` if it is absent."),
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
 * today's service by these schemas, with its texts.
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
