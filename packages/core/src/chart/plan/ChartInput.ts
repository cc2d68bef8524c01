import type { Dashboard } from "../../dashboard/Dashboard.ts"
import type { Expression } from "../expression/Expression.ts"
import type { ChartTable } from "../query/TableQuery.ts"
import type { ChartQuery } from "../ChartQuery.ts"
import type { TimeRange } from "./Periods.ts"
import type { TextScope } from "./texts.ts"
import type { RowTime } from "./RowTime.ts"
import type { Zone } from "./Zone.ts"

/** What a request says of every chart. */
export interface AskedChart {
  readonly request: ChartQuery
  readonly range: TimeRange
  readonly zone: Zone
  /** The dashboard of the tile. */
  readonly dashboard?: Dashboard | undefined
}

/** What a chart is planned from, beside its own fields. */
export interface ChartInput {
  readonly table: ChartTable
  readonly time: RowTime
  readonly scope: TextScope
  /** The conditions around the chart: those of the dashboard and of the request. */
  readonly conditions: ReadonlyArray<Expression>
  readonly range: TimeRange
  readonly granularity: ChartQuery["granularity"]
  readonly zone: Zone
  /** Whether the end of the range is in it. */
  readonly isEndIncluded?: boolean
  /** The path of the chart in the request. */
  readonly path: string
}
