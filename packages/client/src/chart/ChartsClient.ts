import type * as Core from "@headgate/core"
import type { ChartSchemas } from "@headgate/core/adapter"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { TileConfig } from "../dashboard/DashboardsClient.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/**
 * The request for the data of a chart: a tile of a stored dashboard, a tile that is not stored, or the newest rows of a pipe. `from` and
 * `to` are milliseconds since 1970.
 */
export type ChartQuery = Input<Core.ChartQuery>

/** A column of the data of a chart: its role says what its values are. */
export type ChartColumn = Plain<Core.ChartColumn>

/** A value of a chart. Whole numbers beyond 2^53 and decimals are texts, times in a table are milliseconds since 1970. */
export type ChartValue =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<ChartValue>
  | { readonly [name: string]: ChartValue }

/** What the data of every chart has. */
export interface AnyChartData {
  /** The beginning of the range that was read, in milliseconds since 1970: the requested one, or that of its period. */
  readonly from: number
  /** The end of the range that was read, in milliseconds since 1970. */
  readonly to: number
  /** The columns: times first, then groups, then values. */
  readonly columns: ReadonlyArray<ChartColumn>
  /** How many series there are beside those in `rows`. */
  readonly hiddenSeries: number
  /** Whether there are more rows than were answered. */
  readonly truncated: boolean
  /** How many rows the database has read. */
  readonly rowsRead: number
  /** How long the database has worked, in milliseconds. */
  readonly elapsedMs: number
  /** What a reader of the chart must know. */
  readonly warnings: ReadonlyArray<string>
}

/**
 * The data of a chart over time: the first value of each row is the beginning of its period, in milliseconds since 1970. That of a chart of
 * SQL is where the column with the role `time` is, and its periods have no length.
 */
export interface TimeChartData extends AnyChartData {
  /** How the chart is drawn. */
  readonly displayType: "line" | "stacked_bar" | "stacked_line" | "heatmap"
  /** The length of a period, in seconds. */
  readonly granularitySeconds: number
  /** The rows, each with a value for each column. */
  readonly rows: ReadonlyArray<readonly [time: number, ...values: ReadonlyArray<ChartValue>]>
}

/** The data of a chart of groups, not over time: a row for each group. */
export interface GroupChartData extends AnyChartData {
  /** How the chart is drawn. */
  readonly displayType: "table" | "pie" | "bar"
  /** The rows, each with a value for each column. */
  readonly rows: ReadonlyArray<ReadonlyArray<ChartValue>>
}

/** The data of a chart of one number: one row at most. */
export interface NumberChartData extends AnyChartData {
  /** How the chart is drawn. */
  readonly displayType: "number"
  /** The rows, each with a value for each column. */
  readonly rows: ReadonlyArray<ReadonlyArray<ChartValue>>
}

/** Rows as they are stored, the newest first. */
export interface SearchChartData extends AnyChartData {
  /** How the chart is drawn. */
  readonly displayType: "search"
  /** The rows, each with a value for each column. */
  readonly rows: ReadonlyArray<ReadonlyArray<ChartValue>>
}

/** The answer of a tile that is a text: no columns and no rows. */
export interface TextChartData extends AnyChartData {
  /** How the chart is drawn. */
  readonly displayType: "markdown"
  /** The rows: none. */
  readonly rows: ReadonlyArray<ReadonlyArray<ChartValue>>
}

/** The data of a chart: `displayType` tells which. */
export type ChartData = TimeChartData | GroupChartData | NumberChartData | SearchChartData | TextChartData

/** The data of a chart of each display type. */
export interface ChartDataByDisplayType {
  /** Lines over time. */
  readonly line: TimeChartData
  /** Stacked bars over time. */
  readonly stacked_bar: TimeChartData
  /** Stacked lines over time. */
  readonly stacked_line: TimeChartData
  /** The distribution of a value over time. */
  readonly heatmap: TimeChartData
  /** A table with a row for each group. */
  readonly table: GroupChartData
  /** A slice for each group. */
  readonly pie: GroupChartData
  /** A bar for each group. */
  readonly bar: GroupChartData
  /** One number. */
  readonly number: NumberChartData
  /** Rows as they are stored. */
  readonly search: SearchChartData
  /** A text. */
  readonly markdown: TextChartData
}

/** The request for the data of a tile that is not stored, has this display type, and is built from a data source: not one of SQL. */
export interface ConfigChartQuery<Type> extends Omit<ChartQuery, "tile"> {
  /** The tile: its config has the display type. */
  readonly tile: {
    /** What the tile shows. */
    readonly config: TileConfig & {
      /** How it is drawn. */
      readonly displayType: Type
      /** A chart of SQL has it: its columns are those that it selects. */
      readonly configType?: never
    }
  }
}

/** The request for series, as today's service takes it: `startTime` and `endTime` are milliseconds since 1970. */
export type ChartSeries = Input<ChartSchemas["ChartSeries"]>

/** A row of series, or of found rows: its values by the names of columns. */
export interface SeriesRow {
  readonly [column: string]: ChartValue
}

/** The request for rows of a data source, as today's service takes it. */
export type ChartSearch = Input<ChartSchemas["ChartSearch"]>

/** Found rows, and how many they are. */
export interface FoundRows {
  /** The rows, each an object with the selected columns. */
  readonly data: ReadonlyArray<SeriesRow>
  /** How many they are. */
  readonly rows: number
}

/**
 * The data of charts. Each method rejects with `ChartNotFoundError` for what is not there or may not be read, with `InvalidRequestError`
 * for an expression that is refused, and with `FailedDependencyError` if the service queries nothing.
 */
export interface ChartsClient {
  /** Reads the data of a chart. `displayType` of the answer tells what its rows are; a config that is given has it already. */
  readonly query: {
    <Type extends keyof ChartDataByDisplayType>(
      request: ConfigChartQuery<Type>,
      options?: CallOptions
    ): CallPromise<ChartDataByDisplayType[Type]>
    (request: ChartQuery, options?: CallOptions): CallPromise<ChartData>
  }
  /** Reads series over time. */
  readonly series: (request: ChartSeries, options?: CallOptions) => List<SeriesRow>
  /** Searches the rows of a data source. */
  readonly search: (request: ChartSearch, options?: CallOptions) => CallPromise<FoundRows>
}

/** The methods as the operations are typed: an answer has any display type. */
export interface UntypedChartsClient {
  readonly query: (request: ChartQuery, options?: CallOptions) => CallPromise<Plain<Core.ChartData>>
  readonly series: (request: ChartSeries, options?: CallOptions) => List<Plain<Core.SeriesData[number]>>
  readonly search: (request: ChartSearch, options?: CallOptions) => CallPromise<Plain<Core.FoundRows>>
}
