import type { Change, TableCheck } from "../port/ChangeSource.ts"
import type { RejectedRow } from "../port/Warehouse.ts"
import type { RangeLimits } from "../port/Source.ts"
import type { Position } from "../range/Range.ts"

/** A column of a source that is not copied. */
export interface UnknownColumn {
  readonly table: string
  readonly column: string
}

/** Changes that are inserted together. One mover fills it and drops it, so it is changed in place. */
export interface ChangeBatch {
  readonly rows: Map<string, Array<string>>
  readonly rejected: Map<string, Array<RejectedRow>>
  readonly truncates: Array<{ readonly table: string; readonly version: bigint }>
  readonly unknown: Array<UnknownColumn>
  readonly checks: Array<TableCheck>
  /** Rows that fit. */
  rowCount: number
  /** Rows, also those that do not fit. */
  changes: number
  bytes: number
  /** Up to where the batch holds whole transactions. */
  commit: Position | undefined
}

export const newBatch = (): ChangeBatch => ({
  rows: new Map(),
  rejected: new Map(),
  truncates: [],
  unknown: [],
  checks: [],
  rowCount: 0,
  changes: 0,
  bytes: 0,
  commit: undefined
})

const append = <A>(lists: Map<string, Array<A>>, name: string, value: A): void => {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [value])
  else list.push(value)
}

export const addChange = (batch: ChangeBatch, change: Change): ChangeBatch => {
  switch (change._tag) {
    case "Row":
      append(batch.rows, change.table, change.row)
      batch.rowCount += 1
      batch.changes += 1
      batch.bytes += change.row.length
      return batch
    case "Rejected":
      append(batch.rejected, change.table, change.row)
      batch.changes += 1
      batch.bytes += change.row.content.length
      return batch
    case "Truncate":
      batch.truncates.push(change)
      return batch
    case "Unknown":
      batch.unknown.push(change)
      return batch
    case "Checked":
      batch.checks.push(change)
      return batch
    case "Commit":
      batch.commit = change.position
      return batch
  }
}

export const isFull = ({ bytes, changes }: ChangeBatch, limits: RangeLimits): boolean =>
  changes >= limits.rows || bytes >= limits.bytes

const linesAtOnce = 1000
const encoder = new TextEncoder()

/** Rows as lines, in chunks of some of them. */
export const linesOf = function* (rows: ReadonlyArray<string>): Generator<Uint8Array> {
  for (let at = 0; at < rows.length; at += linesAtOnce) {
    yield encoder.encode(`${rows.slice(at, at + linesAtOnce).join("\n")}\n`)
  }
}
