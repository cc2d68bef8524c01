// Queries that take long: a table with many rows, and an expression that takes more than a microsecond of each.
import type { Query } from "../move/MovedSource.ts"

/** Milliseconds since 1970 of the first row. The rows are a millisecond apart. */
export const firstRow = Date.UTC(2026, 0, 1)

export const createHeavyRows = async (query: Query, rows: number): Promise<void> => {
  await query("CREATE TABLE default.heavy (at DateTime64(3), n UInt64) ENGINE = MergeTree ORDER BY at")
  const row = `fromUnixTimestamp64Milli(${firstRow} + toInt64(number)), number`
  await query(`INSERT INTO default.heavy SELECT ${row} FROM numbers(${rows})`)
}

const chain = (start: string) => Array.from({ length: 12 }).reduce((inner: string) => `sipHash64(hex(${inner}))`, start)

/** Takes long, and is 0 for hardly any row. Those of other numbers are others: equal queries at once are run once. */
export const slowExpression = (number = 0) => [1, 2, 3, 4, 5].map((start) => chain(`n + ${start + number}`)).join(" + ")

/** A chart whose query takes long. */
export const slowChart = (sourceId: string, number = 0) => ({
  displayType: "number",
  sourceId,
  select: [{ aggFn: "max", where: "", valueExpression: slowExpression(number) }]
})
