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

const keyOf = ({ groups, period }: Pick<Row, "groups" | "period">): string => JSON.stringify([period, ...groups])

/** The rows of the range, and those of the one before beside them. */
export const joinRows = (current: ReadonlyArray<Row>, previous: ReadonlyArray<Row>): ReadonlyArray<JoinedRow> => {
  const found = new Map<string, JoinedRow>()
  for (const { values, ...row } of current) found.set(keyOf(row), { ...row, current: values })
  for (const { values, ...row } of previous) {
    const key = keyOf(row)
    found.set(key, { ...(found.get(key) ?? row), previous: values })
  }
  return [...found.values()]
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

/** The groups of rows, each once. */
export const groupsOf = (rows: ReadonlyArray<JoinedRow>): ReadonlyArray<ReadonlyArray<unknown>> => [
  ...new Map(rows.map(({ groups }) => [JSON.stringify(groups), groups])).values()
]

/** A row for every period of every series. Without rows there is no series. */
export const fillRows = (rows: ReadonlyArray<JoinedRow>, periods: number): ReadonlyArray<JoinedRow> => {
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  const series = groupsOf(rows).toSorted(compareGroups)
  return Array.from({ length: periods }, (_, period) =>
    series.map((groups): JoinedRow => found.get(keyOf({ groups, period })) ?? { groups, period })
  ).flat()
}

/** Rows by their periods, then by their groups. */
export const sortRows = (rows: ReadonlyArray<JoinedRow>): ReadonlyArray<JoinedRow> =>
  rows.toSorted((one, other) => one.period - other.period || compareGroups(one.groups, other.groups))
