import type { PipeId } from "@headgate/core"
import type * as Duration from "effect/Duration"

/**
 * A place in a partition of a source: a Kafka offset, an object's key, an LSN. Only the source orders positions; everyone
 * else compares them for equality.
 */
export type Position = string

/**
 * A part of a source that is delivered as one block, or not at all. `from` is the first position in it, `to` the position
 * from which the next range is planned, so positions that the source lacks (compaction, transactions) are normal.
 */
export interface Range {
  readonly pipeId: PipeId
  /** Rises on a resync, an offset reset and a changed source, so that no token is used for two deliveries. */
  readonly generation: number
  /** Which source this is: Kafka's topic id, Postgres's system identifier and timeline. */
  readonly source: string
  readonly partition: string
  readonly from: Position
  readonly to: Position
  /** What the source recorded when it planned the range, to read it again exactly: an object's ETag and size. */
  readonly detail?: string
  /** How many inserts the table had had when the range was recorded, where it forgets tokens after so many. */
  readonly insertsBefore?: number
  /** How many rows the source planned. Absent where the warehouse reads and counts them. */
  readonly rows?: number
  /** The bytes of these rows, as the source counted them. */
  readonly bytes?: number
}

/** What a pipe has delivered. */
export interface DeliveredRows {
  /** The rows of done ranges; of objects, those in the table. */
  readonly rows: number
  /** How many rows, or whole objects, went to the error table. */
  readonly rejected: number
  /** The bytes of these rows and objects, as the source gave them. */
  readonly bytes: number
}

/** Of a range that delivers no row. */
export const nothingDelivered: DeliveredRows = { rows: 0, rejected: 0, bytes: 0 }

/** What a range has delivered whose rows are all in the table, but for so many. */
export const deliveredOf = ({ bytes = 0, rows = 0 }: Range, rejected: number): DeliveredRows => ({
  rows,
  rejected,
  bytes
})

/** What two ranges have delivered together. */
export const addDelivered = (one: DeliveredRows, other: DeliveredRows): DeliveredRows => ({
  rows: one.rows + other.rows,
  rejected: one.rejected + other.rejected,
  bytes: one.bytes + other.bytes
})

/** Rows of a staged range that are moved into the table together: one partition of the table. */
export interface StagedPart {
  readonly part: string
  readonly rows: number
}

/** The rows of an object, which the warehouse has read into a place of their own. The table holds none of them yet. */
export interface Staged {
  /** Where they are. No other range, and no other owner, has used this name. */
  readonly staging: string
  readonly parts: ReadonlyArray<StagedPart>
  /** How many rows went to the error table. Absent: none. */
  readonly rejected?: number
}

/** A staged range, and which of its parts are in the table. */
export interface RecordedStaging extends Staged {
  readonly moved: ReadonlySet<string>
  /** The parts whose move has begun, and what `Warehouse.beforeMove` said of each. Those that are not in `moved` may be moved. */
  readonly moving: ReadonlyMap<string, string>
}

/** Rows of a range that the destination does not take, as they were recorded before any of the others was written. */
export interface RejectedRows {
  /** Which rows of the range, from 0, in ascending order. */
  readonly rows: ReadonlyArray<number>
  /**
   * By what they were found: the columns of the table, the version of the engine, the rules. The same check finds the same rows
   * again; another one may find others.
   */
  readonly checkedBy: string
}

/**
 * The tables of a pipe by their names, and what tells each from another one of its name. Only the warehouse reads that: an empty text
 * if it cannot tell.
 */
export type KnownTables = ReadonlyMap<string, string>

/** A range that is recorded and not done: its rows may be in the warehouse, or not. */
export interface PendingRange {
  readonly range: Range
  /** Absent: no row was rejected, or none was written. */
  readonly rejected?: RejectedRows
  /** Absent: the warehouse has not read it, or the ledger does not know it. */
  readonly staged?: RecordedStaging
  /** How long ago it was recorded, by a clock that is never set back; infinity if there is none that spans the time. */
  readonly age: Duration.Duration
}

/** The deduplication token of a range, and its name in messages. */
export const Range = {
  /**
   * The deduplication token of a range. It is JSON, so that no two ranges have the same one whatever characters the names of
   * partitions hold.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { Range } from "@headgate/mover"
   *
   * const range: Range = {
   *   pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001"),
   *   generation: 1,
   *   source: "a topic id",
   *   partition: "0",
   *   from: "100",
   *   to: "200"
   * }
   * console.log(Range.tokenOf(range)) // ["b1be0000-0000-4000-8000-000000000001",1,"a topic id","0","100","200"]
   * ```
   */
  tokenOf: ({ from, generation, partition, pipeId, source, to }: Range): string =>
    JSON.stringify([pipeId, generation, source, partition, from, to]),

  /**
   * A range as messages name it.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { Range } from "@headgate/mover"
   *
   * const range: Range = {
   *   pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001"),
   *   generation: 1,
   *   source: "a topic id",
   *   partition: "0",
   *   from: "100",
   *   to: "200"
   * }
   * console.log(Range.describe(range)) // partition 0, from 100 to 200 (generation 1)
   * ```
   */
  describe: ({ from, generation, partition, to }: Range): string =>
    `partition ${partition}, from ${from} to ${to} (generation ${generation})`
}

/**
 * The token of the rejected rows of a range in the error table. It holds nothing but the range: each replay has the same one. The
 * text `bad` cannot change: warehouses have stored it in tokens, and with another one a replay would insert these rows twice.
 */
export const rejectedTokenOf = (range: Range): string => JSON.stringify([Range.tokenOf(range), "bad"])
