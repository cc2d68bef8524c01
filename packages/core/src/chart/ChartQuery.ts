import * as Schema from "effect/Schema"
import { DashboardId, TileId } from "../id/dashboard.ts"
import { PipeId } from "../id/pipe.ts"
import { NumberFormat } from "../dashboard/config/chartParts.ts"
import type { TileConfig } from "../dashboard/config/TileConfig.ts"
import { passedOn } from "../schema/fieldSchemas.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"

/** The lengths of the periods of charts, beside `auto`. */
export const granularities = [
  "1s",
  "15s",
  "30s",
  "1m",
  "5m",
  "10m",
  "15m",
  "30m",
  "1h",
  "2h",
  "6h",
  "12h",
  "1d",
  "2d",
  "7d",
  "30d"
] as const

const Millis = Schema.Int.annotate({ description: "Milliseconds since 1970." })
const Choice = Schema.Array(Schema.String).check(Schema.isMaxLength(1000))

/** What is chosen for a filter of the dashboard: one of the three. */
export const ChosenFilter = looseStruct({
  filterId: Schema.String.annotate({ description: "The id of the filter." }),
  in: Schema.optionalKey(Choice),
  notIn: Schema.optionalKey(Choice),
  between: Schema.optionalKey(Schema.Tuple([Schema.Finite, Schema.Finite]))
}).pipe(withIdentifier("ChosenFilter", "What is chosen for a filter of a dashboard."))

/** Which chart is drawn: a tile of a stored dashboard, one that is not stored, or the newest rows of a table that a pipe has created. */
export const ChartTile = Schema.Union([
  looseStruct({ dashboardId: DashboardId, tileId: TileId }),
  looseStruct({ config: passedOn<TileConfig>("TileConfig") }),
  looseStruct({ pipeId: PipeId, table: Schema.optionalKey(Schema.String) })
]).annotate({ identifier: "ChartTile", description: "The chart that is drawn." })

/** The request for the data of a chart. Contract: docs/wire-contract.md#charts. */
export const ChartQuery = looseStruct({
  tile: ChartTile,
  from: Millis,
  to: Millis,
  granularity: Schema.optionalKey(Schema.Literals(["auto", ...granularities])),
  timezone: Schema.optionalKey(Schema.String),
  filters: Schema.optionalKey(Schema.Array(ChosenFilter).check(Schema.isMaxLength(50))),
  where: Schema.optionalKey(Schema.String),
  whereLanguage: Schema.optionalKey(Schema.Literals(["sql", "lucene"])),
  previousPeriod: Schema.optionalKey(Schema.Boolean)
}).pipe(withIdentifier("ChartQuery", "The request for the data of a chart."))
export type ChartQuery = typeof ChartQuery.Type

/** A column of the data of a chart. */
export const ChartColumn = looseStruct({
  name: Schema.String,
  /** As the database writes it. */
  type: Schema.String,
  role: Schema.Literals(["time", "group", "value"]),
  numberFormat: Schema.optionalKey(NumberFormat),
  /** Values of the period before. Their times are moved forward by its length. */
  isPrevious: Schema.optionalKey(Schema.Boolean)
}).pipe(withIdentifier("ChartColumn", "A column of the data of a chart."))

/**
 * The data of a chart. Times are milliseconds since 1970, NaN and infinite numbers are null, whole numbers beyond 2^53 and decimals are
 * texts.
 */
export const ChartData = looseStruct({
  displayType: Schema.String,
  from: Millis,
  to: Millis,
  granularitySeconds: Schema.optionalKey(Schema.Int),
  columns: Schema.Array(ChartColumn),
  rows: Schema.Array(Schema.Array(Schema.Unknown)),
  /** How many series there are beside those in `rows`. */
  hiddenSeries: Schema.Int,
  /** Whether there are more rows than were answered. */
  truncated: Schema.Boolean,
  rowsRead: Schema.Int,
  elapsedMs: Schema.Int,
  warnings: Schema.Array(Schema.String)
}).pipe(withIdentifier("ChartData", "The data of a chart."))
export type ChartData = typeof ChartData.Type
