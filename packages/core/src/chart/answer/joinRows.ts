import * as Predicate from "effect/Predicate"

/** A row of a result, read. */
export interface Row {
  readonly groups: ReadonlyArray<unknown>
  /** The place of its period. */
  readonly period: number
  readonly values: ReadonlyArray<unknown>
}

/** A row of an answer, from those of the range and of the one before. */
export interface JoinedRow {
  readonly groups: ReadonlyArray<unknown>
  readonly period: number
  readonly current?: ReadonlyArray<unknown>
  readonly previous?: ReadonlyArray<unknown>
}

/** The name of a series. */
export const seriesKey = (groups: ReadonlyArray<unknown>): string => (groups.length === 0 ? "" : JSON.stringify(groups))

/** The rows of the range, and those of the one before beside them. */
export const joinRows = (current: ReadonlyArray<Row>, previous: ReadonlyArray<Row>): ReadonlyArray<JoinedRow> => {
  const joined: Array<JoinedRow> = []
  const places = new Map<string, Map<number, number>>()
  // Answers have many rows: each is named once.
  const add = ({ groups, period }: Row, values: Pick<JoinedRow, "current" | "previous">): void => {
    const key = seriesKey(groups)
    const series = places.get(key) ?? new Map<number, number>()
    if (series.size === 0) places.set(key, series)
    const place = series.get(period) ?? joined.length
    series.set(period, place)
    joined[place] = { ...(joined[place] ?? { groups, period }), ...values }
  }
  for (const row of current) add(row, { current: row.values })
  for (const row of previous) add(row, { previous: row.values })
  return joined
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The order of groups: numbers as numbers, NULL last. */
const compare = (one: unknown, other: unknown): number => {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return Predicate.isNumber(one) && Predicate.isNumber(other) ? one - other : compareTexts(String(one), String(other))
}

const compareGroups = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): number => {
  for (const [index, value] of one.entries()) {
    const order = compare(value, other[index])
    if (order !== 0) return order
  }
  return 0
}

/** The rows of one series by their periods. */
export interface SeriesRows {
  readonly groups: ReadonlyArray<unknown>
  readonly rows: Map<number, JoinedRow>
}

/** The series of rows, in the order in which they are first there. */
export const seriesOfRows = (rows: ReadonlyArray<JoinedRow>): ReadonlyArray<SeriesRows> => {
  const found = new Map<string, SeriesRows>()
  for (const row of rows) {
    const key = seriesKey(row.groups)
    const series = found.get(key) ?? { groups: row.groups, rows: new Map<number, JoinedRow>() }
    if (series.rows.size === 0) found.set(key, series)
    series.rows.set(row.period, row)
  }
  return [...found.values()]
}

/** A row for every period of every series. Without rows there is no series. */
export const fillRows = (series: ReadonlyArray<SeriesRows>, periods: number): ReadonlyArray<JoinedRow> => {
  const sorted = series.toSorted((one, other) => compareGroups(one.groups, other.groups))
  const filled: Array<JoinedRow> = []
  for (let period = 0; period < periods; period += 1) {
    for (const { groups, rows } of sorted) filled.push(rows.get(period) ?? { groups, period })
  }
  return filled
}

/** Rows by their periods, then by their groups. */
export const sortRows = (rows: ReadonlyArray<JoinedRow>): ReadonlyArray<JoinedRow> =>
  rows.toSorted((one, other) => one.period - other.period || compareGroups(one.groups, other.groups))
