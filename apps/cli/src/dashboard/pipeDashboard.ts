import type { ChartData, DashboardCreate, DashboardSourceCreate } from "@headgate/core"
import { columnTypeOf } from "@headgate/core/adapter"
import { columnText } from "../chart/pipeTable.ts"

/** A table of a pipe, of which a dashboard is made. */
export interface PipeTable {
  readonly database: string | undefined
  readonly table: string
  readonly columns: ChartData["columns"]
  /** The column of the time of a row. */
  readonly time: string
}

// A chart takes 20 values.
const mostCandidates = 20

/** The columns that may have few values. */
export const candidatesOf = ({ columns }: Pick<PipeTable, "columns">): ReadonlyArray<string> =>
  columns
    .filter(({ type }) => ["text", "boolean"].includes(columnTypeOf(type).kind))
    .slice(0, mostCandidates)
    .map(({ name }) => name)

const [fewest, most] = [2, 12]
const atMost = 100

/** The column by which rows are shown: with 2 to 12 values the one with the most, else the one with the fewest up to 100. */
export const fewValues = (counts: ReadonlyArray<readonly [column: string, values: number]>): string | undefined => {
  const sorted = counts.filter(([, values]) => values >= fewest && values <= atMost).toSorted(([, a], [, b]) => a - b)
  return (sorted.findLast(([, values]) => values <= most) ?? sorted[0])?.[0]
}

/** The request for the source of a table. */
export const sourceOf = (
  name: string,
  connection: DashboardSourceCreate["connection"],
  { columns, database, table, time }: PipeTable
): DashboardSourceCreate => ({
  name,
  kind: "log",
  connection,
  from: { ...(database === undefined ? {} : { databaseName: database }), tableName: table },
  timestampValueExpression: columnText(time),
  defaultTableSelectExpression: shownColumns({ columns, time }).map(columnText).join(", ")
})

// More columns are not shown of a row.
const mostShown = 8

const shownColumns = ({ columns, time }: Pick<PipeTable, "columns" | "time">): ReadonlyArray<string> =>
  [time, ...columns.map(({ name }) => name).filter((name) => name !== time)].slice(0, mostShown)

/**
 * The request for the dashboard of a table: rows over time, by a column of few values if there is one, the latest rows, and how many
 * there are. Its tiles have `series`, which every service takes: one with the dialect clickhouse stores them as `config`.
 */
export const dashboardOf = (
  name: string,
  sourceId: string,
  table: PipeTable,
  column: string | undefined
): DashboardCreate => {
  const count = { sourceId, aggFn: "count", where: "", whereLanguage: "sql" } as const
  const overTime = { ...count, type: "time", displayType: "stacked_bar" } as const
  return {
    name,
    tags: [],
    tiles: [
      { name: "Rows over time", x: 0, y: 0, w: 18, h: 4, series: [{ ...overTime, groupBy: [] }] },
      { name: "Rows", x: 18, y: 0, w: 6, h: 4, series: [{ ...count, type: "number" }] },
      ...(column === undefined
        ? []
        : [
            {
              name: `Rows by ${column}`,
              x: 0,
              y: 4,
              w: 24,
              h: 4,
              series: [{ ...overTime, groupBy: [columnText(column)] }]
            }
          ]),
      {
        name: "Latest rows",
        x: 0,
        y: 8,
        w: 24,
        h: 6,
        series: [
          { type: "search", sourceId, fields: shownColumns(table).map(columnText), where: "", whereLanguage: "sql" }
        ]
      }
    ]
  }
}
