import * as Schema from "effect/Schema"
import { DashboardId, TileId } from "../id/dashboard.ts"
import { PipeId } from "../id/pipe.ts"
import type { NumberFormat } from "../dashboard/config/chartParts.ts"
import type { TileConfig } from "../dashboard/config/TileConfig.ts"
import { knownString, passedOn } from "../schema/fieldSchemas.ts"
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

/** How a chart is drawn: the display types that are answered. A text of `markdown` has no columns and no rows. */
const displayTypes = [
  "line",
  "stacked_bar",
  "stacked_line",
  "table",
  "number",
  "pie",
  "bar",
  "heatmap",
  "search",
  "markdown"
] as const

/** What times of every type that a warehouse has are within, in milliseconds since 1970. */
export const [firstTime, lastTime] = [Date.UTC(1900, 0, 1), Date.UTC(2299, 11, 31)]

const millis = (description: string) =>
  Schema.Int.check(
    Schema.isBetween(
      { minimum: firstTime, maximum: lastTime },
      { message: "Expected milliseconds since 1970, of the years 1900 to 2299" }
    )
  ).annotate({ description })

const text = (most: number, description: string) =>
  Schema.String.check(Schema.isMaxLength(most, { message: `Expected at most ${most} characters` })).annotate({
    description
  })

const list = <S extends Schema.Constraint>(element: S, most: number) =>
  Schema.Array(element).check(Schema.isMaxLength(most, { message: `Expected at most ${most}` }))

const choice = (description: string) => list(text(10_000, "A value."), 1000).annotate({ description })

/**
 * What is chosen for a filter of the dashboard: values to take, values to leave out, or the numbers between two. `filterId` is the id of
 * the filter in the dashboard, or, of a variable, its name.
 */
const ChosenFilter = looseStruct({
  filterId: text(1024, "The id of the filter in the dashboard, or its name."),
  in: Schema.optionalKey(choice("The values that are taken: at most 1,000.")),
  notIn: Schema.optionalKey(choice("The values that are left out: at most 1,000.")),
  between: Schema.optionalKey(
    Schema.Tuple([Schema.Finite, Schema.Finite]).annotate({
      description: "The least and the largest number that are taken."
    })
  )
}).pipe(withIdentifier("ChosenFilter", "What is chosen for a filter of a dashboard."))

const storedTile = looseStruct({
  dashboardId: DashboardId.annotate({ description: "The id of a stored dashboard." }),
  tileId: TileId.annotate({ description: "The id of a tile of it." })
}).pipe(withIdentifier("StoredTile", "A tile of a stored dashboard."))

const pipeRows = looseStruct({
  pipeId: PipeId.annotate({
    description: "The id of a pipe: its chart is the newest rows of a table that it created."
  }),
  table: Schema.optionalKey(text(1024, "The name of the table, where the pipe has created several."))
}).pipe(withIdentifier("PipeTile", "The newest rows of a table that a pipe has created."))

/** The schema of a tile whose config has a schema. */
export const chartTile = <Config extends Schema.Constraint>(config: Config) =>
  Schema.Union([
    storedTile,
    looseStruct({ config }).pipe(withIdentifier("UnstoredTile", "A tile that is not stored.")),
    pipeRows
  ]).annotate({
    identifier: "ChartTile",
    description: "The chart: a tile of a stored dashboard, one that is not stored, or the newest rows of a pipe.",
    message: "Expected an object with `dashboardId` and `tileId`, with `config`, or with `pipeId`"
  })

/** Which chart is drawn: a tile of a stored dashboard, one that is not stored, or the newest rows of a table that a pipe has created. */
const ChartTile = chartTile(
  passedOn<TileConfig>("TileConfig").annotateKey({
    description: "What the tile shows, as the tiles of dashboards of the dialect `clickhouse` have it."
  })
)

/** The schema of a request whose tile has a schema. */
export const chartQuery = <Tile extends Schema.Constraint>(tile: Tile) =>
  looseStruct({
    tile,
    from: millis("The beginning of the time range, in milliseconds since 1970."),
    to: millis("The end of the time range, which is not part of it, in milliseconds since 1970."),
    granularity: Schema.optionalKey(
      Schema.Literals(["auto", ...granularities]).annotate({
        description: "The length of the periods of a chart over time. `auto`, the default: at most 60 periods."
      })
    ),
    timezone: Schema.optionalKey(
      text(64, "The time zone by which days and longer periods begin, such as `Europe/Berlin`. Default: `UTC`.")
    ),
    filters: Schema.optionalKey(
      list(ChosenFilter, 50).annotate({ description: "What is chosen for the filters of the dashboard: at most 50." })
    ),
    where: Schema.optionalKey(text(10_000, "One more condition for the rows: at most 10,000 characters.")),
    whereLanguage: Schema.optionalKey(
      Schema.Literals(["sql", "lucene"]).annotate({ description: "The language of `where`: `lucene` if it is absent." })
    ),
    previousPeriod: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "Whether the period of the same length before `from` is answered, too. Default: as the tile says."
      })
    )
  }).pipe(withIdentifier("ChartQuery", "The request for the data of a chart."))

/**
 * The request for the data of a chart. `from` and `to` are milliseconds since 1970, and `to` is not part of the range. Expressions in it
 * and in the tile are parsed and checked, and nothing of them reaches a database as it was written. Contract:
 * docs/wire-contract.md#charts.
 *
 * @example
 * ```ts
 * import { type ChartQuery, DashboardId, TileId } from "@headgate/core"
 *
 * // The last hour of a tile, by the minute.
 * export const lastHour = (now: number): ChartQuery => ({
 *   tile: { dashboardId: DashboardId.make("65f5e4a3b9e77c001a567896"), tileId: TileId.make("65f5e4a3b9e77c001a567897") },
 *   from: now - 3_600_000,
 *   to: now,
 *   granularity: "1m"
 * })
 * ```
 */
export const ChartQuery = chartQuery(ChartTile)
export type ChartQuery = typeof ChartQuery.Type

const columnOf = <Format extends Schema.Constraint>(numberFormat: Format) =>
  looseStruct({
    name: Schema.String.annotate({ description: "The name: no other column has it but that of the period before." }),
    type: Schema.String.annotate({ description: "The data type, as the database writes it." }),
    role: Schema.Literals(["time", "group", "value"]).annotate({
      description: "What the column is: the beginning of a period, a part of the name of a series or a row, or a value."
    }),
    numberFormat: Schema.optionalKey(numberFormat).annotateKey({
      description: "How the numbers of the column are shown."
    }),
    isPrevious: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "Values of the period before. They stand beside those of the times that are its length later."
      })
    )
  }).pipe(withIdentifier("ChartColumn", "A column of the data of a chart."))

/** The schema of the data of a chart whose number formats have a schema. */
export const chartData = <Format extends Schema.Constraint>(numberFormat: Format) =>
  looseStruct({
    displayType: knownString(displayTypes).annotate({ description: "How the chart is drawn." }),
    from: Schema.Int.annotate({
      description:
        "The beginning of the range that was read, in milliseconds since 1970: the requested one, or that of its period."
    }),
    to: Schema.Int.annotate({ description: "The end of the range that was read, in milliseconds since 1970." }),
    granularitySeconds: Schema.optionalKey(
      Schema.Int.annotate({ description: "The length of a period of a chart over time, in seconds." })
    ),
    columns: Schema.Array(columnOf(numberFormat)).annotate({
      description:
        "The columns: times first, then groups, then values, then those of the period before. Of found rows and of SQL: as they were selected."
    }),
    rows: Schema.Array(Schema.Array(Schema.Unknown)).annotate({
      description: "The rows, each with a value for each column."
    }),
    hiddenSeries: Schema.Int.annotate({ description: "How many series there are beside those in `rows`." }),
    truncated: Schema.Boolean.annotate({ description: "Whether there are more rows than were answered." }),
    rowsRead: Schema.Int.annotate({ description: "How many rows the database has read." }),
    elapsedMs: Schema.Int.annotate({ description: "How long the database has worked, in milliseconds." }),
    warnings: Schema.Array(Schema.String).annotate({ description: "What a reader of the chart must know." })
  }).pipe(withIdentifier("ChartData", "The data of a chart."))

// The formats are those of the tile: a client passes them on.
const numberFormat = passedOn<typeof NumberFormat.Type>("NumberFormat")

/** A column of the data of a chart. */
export const ChartColumn = columnOf(numberFormat)
export type ChartColumn = typeof ChartColumn.Type

/**
 * The data of a chart: its columns, times first, then groups, then values, and its rows, each with a value for each column. The columns of
 * found rows and of SQL are in the order in which they were selected. Times are
 * milliseconds since 1970, NaN and infinite numbers are `null`, whole numbers beyond 2^53 and decimals are texts, as their type says.
 *
 * @example
 * ```ts
 * import type { ChartData } from "@headgate/core"
 *
 * // The values of the first value column.
 * export const valuesOf = ({ columns, rows }: ChartData): ReadonlyArray<unknown> => {
 *   const at = columns.findIndex(({ role }) => role === "value")
 *   return rows.map((row) => row[at])
 * }
 * ```
 */
export const ChartData = chartData(numberFormat)
export type ChartData = typeof ChartData.Type
