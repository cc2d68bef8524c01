import * as Schema from "effect/Schema"
import { knownString } from "../schema/KnownString.ts"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** The known kinds of chart a series is drawn as. The contract (section 2.4) shows none: these are decided. */
export const seriesTypes = ["time", "table", "number", "histogram", "search", "markdown"] as const
/** The known kinds of data a series reads. As {@link seriesTypes}. */
export const dataSources = ["events", "metrics"] as const
/** The known aggregation functions. As {@link seriesTypes}. */
export const aggregationFunctions = [
  "avg",
  "count",
  "count_distinct",
  "last_value",
  "max",
  "min",
  "quantile",
  "sum"
] as const
/** The known languages of a filter expression. As {@link seriesTypes}. */
export const whereLanguages = ["lucene", "sql"] as const
/** The known types of a metric. As {@link seriesTypes}. */
export const metricDataTypes = ["sum", "gauge", "histogram"] as const

/**
 * One series of a tile, as read: which fields are required and which values are allowed is not shown in the contract
 * (section 2.4), so any may be absent and any string is read.
 */
export const Series = openStruct({
  type: absentOrNull(knownString(seriesTypes)),
  dataSource: absentOrNull(knownString(dataSources)),
  aggFn: absentOrNull(knownString(aggregationFunctions)),
  /** A filter expression, in `whereLanguage`. */
  where: absentOrNull(Schema.String),
  whereLanguage: absentOrNull(knownString(whereLanguages)),
  groupBy: absentOrNull(Schema.Array(Schema.String)),
  sourceId: absentOrNull(Schema.String),
  field: absentOrNull(Schema.String),
  metricName: absentOrNull(Schema.String),
  metricDataType: absentOrNull(knownString(metricDataTypes))
}).pipe(identified("Series"))
/** What {@link Series} decodes to. */
export type Series = typeof Series.Type

/**
 * One series of a tile, as written: the open strings must be values that the service is known to take. Contract:
 * section 4.3.
 */
export const SeriesCreate = openStruct({
  type: absentOrNull(Schema.Literals(seriesTypes)),
  dataSource: absentOrNull(Schema.Literals(dataSources)),
  aggFn: absentOrNull(Schema.Literals(aggregationFunctions)),
  where: absentOrNull(Schema.String),
  whereLanguage: absentOrNull(Schema.Literals(whereLanguages)),
  groupBy: absentOrNull(Schema.Array(Schema.String)),
  sourceId: absentOrNull(Schema.String),
  field: absentOrNull(Schema.String),
  metricName: absentOrNull(Schema.String),
  metricDataType: absentOrNull(Schema.Literals(metricDataTypes))
}).pipe(identified("SeriesCreate"))
/** What {@link SeriesCreate} decodes to. */
export type SeriesCreate = typeof SeriesCreate.Type
