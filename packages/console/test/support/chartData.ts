import type { ChartColumn, ChartData } from "@headgate/core"

export const time: ChartColumn = { name: "time", type: "DateTime", role: "time" }
export const group = (name: string, type = "String"): ChartColumn => ({ name, type, role: "group" })
export const value = (name: string, about: Partial<ChartColumn> = {}): ChartColumn => ({
  name,
  type: "UInt64",
  role: "value",
  ...about
})
export const previous = (name: string) => value(name, { isPrevious: true })
export const writing = { zone: "UTC", languages: "en-US" }

export const data = (
  columns: ReadonlyArray<ChartColumn>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  about: Partial<ChartData> = {}
): ChartData => ({
  displayType: "line",
  from: 0,
  to: 120_000,
  columns,
  rows,
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 0,
  elapsedMs: 0,
  warnings: [],
  ...about
})

export const overTime = { granularitySeconds: 60 }
