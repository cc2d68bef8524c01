import type { calls } from "../../data/calls.ts"

/** How the pipes of a service go on, as the server lists it. */
export type Statuses = Awaited<ReturnType<typeof calls.pipe.statuses>>
/** The pipes of a service. */
export type Pipes = Awaited<ReturnType<typeof calls.pipe.list>>

/** A pipe in the table. Its fields are plain values: two rows with equal ones look the same. */
export interface PipeRow {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly rowsPerSecond: number | null
  readonly lag: number | null
  readonly errors: number | null
  readonly source: string | null
  readonly table: string | null
  readonly message: string | null
}

/** The kind of a source, such as `kafka`: the name of its only object. */
export const sourceKind = (source: object | null | undefined): string | null =>
  Object.entries(source ?? {}).find(([, value]) => typeof value === "object" && value !== null)?.[0] ?? null

/** `database.table`, or what there is of it. */
export const tableName = (
  destination:
    | { readonly database?: string | null | undefined; readonly table?: string | null | undefined }
    | null
    | undefined
): string | null => {
  const parts = [destination?.database, destination?.table].filter(Boolean)
  return parts.length === 0 ? null : parts.join(".")
}

/** The rows of the table: each pipe that has a status, with what is known of it. */
export const rowsOf = (statuses: Statuses, pipes: Pipes): ReadonlyArray<PipeRow> => {
  const known = new Map(pipes.map((pipe) => [pipe.id, pipe]))
  return statuses.map(({ errors, id, lag, message, rowsPerSecond, state }) => {
    const pipe = known.get(id)
    return {
      id,
      name: pipe?.name ?? id,
      state,
      rowsPerSecond: rowsPerSecond ?? null,
      lag: lag ?? null,
      errors: errors ?? null,
      source: sourceKind(pipe?.source),
      table: tableName(pipe?.destination),
      message: message ?? null
    }
  })
}

/** The groups that the page counts. A state of none of the first three is one of the others. */
export const groups = ["Running", "Degraded", "Failed", "Others"] as const
/** A group of states. */
export type Group = (typeof groups)[number]

const groupOfState: ReadonlyMap<string, Group> = new Map([
  ["Running", "Running"],
  ["Degraded", "Degraded"],
  ["Failed", "Failed"],
  ["InternalError", "Failed"]
])

/** The group of a state. */
export const groupOf = (state: string): Group => groupOfState.get(state) ?? "Others"

/** How many pipes each group has. */
export const countsOf = (rows: ReadonlyArray<PipeRow>): Readonly<Record<Group, number>> => {
  const counts = { Running: 0, Degraded: 0, Failed: 0, Others: 0 }
  for (const { state } of rows) counts[groupOf(state)] += 1
  return counts
}

/** The largest lag; `undefined` if none is known. */
export const worstLag = (rows: ReadonlyArray<PipeRow>): number | undefined => {
  let worst: number | undefined
  for (const { lag } of rows) if (lag !== null && (worst === undefined || lag > worst)) worst = lag
  return worst
}

/** The rows of a group, or of a single state; all for an empty text. */
export const inState = (rows: ReadonlyArray<PipeRow>, state: string): ReadonlyArray<PipeRow> =>
  state === "" ? rows : rows.filter((row) => groupOf(row.state) === state || row.state === state)

/** The states that occur, in the order of the alphabet. */
export const statesOf = (rows: ReadonlyArray<PipeRow>): ReadonlyArray<string> =>
  [...new Set(rows.map(({ state }) => state))].toSorted()
