import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CannotContinue, PositionLost, SourceError } from "../range/MoveError.ts"
import type { Position } from "../range/Range.ts"
import type { RejectedRow } from "./Warehouse.ts"

/** A table of a source, and the table that receives its rows. */
export interface SourceTable {
  /** Names the table in the ledger and in messages. No other table of the source has it. */
  readonly name: string
  readonly target: string
  /** The columns as the warehouse stores them, with their data types as the engine writes those. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  /** The columns that tell the rows apart. They are the sorting key of the target. */
  readonly key: ReadonlyArray<string>
  /** The partition key of the target, as an SQL expression. */
  readonly partitionBy?: string
  /**
   * What the source tells later by whether the table is still the one that was copied. It is recorded when the table is copied, and
   * nobody but the source reads it.
   */
  readonly definition?: string
}

/** A table while it is copied. */
export interface CopiedTable extends SourceTable {
  /** The version of the rows of its snapshot. The version of a change is this and the place of the change in the log. */
  readonly base: bigint
  /** The `definition` that was recorded when it was copied. Absent: a version of before this was recorded has copied it. */
  readonly copiedDefinition?: string
}

/** What a source has found of a table that was copied. */
export interface TableCheck {
  readonly table: string
  /** Values that were copied may no longer be those of the source. What to do about it is added. */
  readonly warning?: string
  /** What to record instead of the earlier definition: the table has changed, and the rows that were copied have not. */
  readonly definition?: string
}

/**
 * A state of all tables at one moment, from which any number of parts can be read at the same time. A table that was truncated
 * since then may be empty in it: its changes say so.
 */
export interface TableSnapshot {
  /** The rows of a part of a table, as lines of TSV with the fields of {@link CopiedTable}. Chunks may end within a row. */
  readonly read: (table: CopiedTable, part: string) => Stream.Stream<Uint8Array, SourceError>
  /** The rows of a part that hold a value that the target's types cannot hold. `read` leaves them out. */
  readonly readRejected: (table: CopiedTable, part: string) => Stream.Stream<RejectedRow, SourceError>
}

/**
 * A change of a source, in the order of commits. A `Row` is a line of TSV without its line break: the columns of the table in
 * their order, whether the row is deleted (0 or 1), the version. `Commit`: what came before is a whole number of transactions,
 * and the source may forget everything before `position`. A source without changes says so from time to time. `Unknown`: the
 * rows that follow have a column that is not among those of the table, and is left out. `Checked`: the source has looked whether the
 * table is still the one that was copied, and it is: if not, the changes fail, before a row that follows.
 */
export type Change =
  | { readonly _tag: "Row"; readonly table: string; readonly row: string }
  | { readonly _tag: "Rejected"; readonly table: string; readonly row: RejectedRow }
  | { readonly _tag: "Truncate"; readonly table: string; readonly version: bigint }
  | { readonly _tag: "Unknown"; readonly table: string; readonly column: string }
  | ({ readonly _tag: "Checked" } & TableCheck)
  | { readonly _tag: "Commit"; readonly position: Position }

/** The changes of a source since a position. */
export interface ChangeFeed {
  /** Reads ahead by a bounded number of bytes, and waits for its reader. */
  readonly changes: Stream.Stream<ReadonlyArray<Change>, SourceError | CannotContinue>
  /** Lets the source forget what is before a position. */
  readonly confirm: (position: Position) => Effect.Effect<void, SourceError>
}

/**
 * The port to a database whose tables are copied and then followed.
 *
 * Rows carry versions, so reading anything again is harmless: a snapshot's rows have the lowest, and a change of a row has a
 * higher one than every change of it that was committed before.
 *
 * @example
 * ```ts
 * import { ChangeSource } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * export const tableNames = Effect.gen(function* () {
 *   const source = yield* ChangeSource
 *   return (yield* source.tables).map(({ name }) => name)
 * })
 * ```
 */
export class ChangeSource extends Context.Service<
  ChangeSource,
  {
    /** What is copied: the tables as they are and their changes, one of the two. */
    readonly mode: "both" | "snapshot" | "changes"
    /** Which database this is. One that was restored from a backup is another one. */
    readonly identity: Effect.Effect<string, SourceError>
    /** The tables as they are now. Fails with what to do if one cannot be copied. */
    readonly tables: Effect.Effect<ReadonlyArray<SourceTable>, SourceError | CannotContinue>
    /**
     * Makes the source keep its changes from now on, and forget those of an earlier generation. Returns the position of the
     * first change; a snapshot taken later misses none before it.
     */
    readonly begin: Effect.Effect<Position, SourceError | CannotContinue>
    /**
     * Checks that the source still holds all changes since a position of the tables with these names, which were copied, and makes it
     * keep those of tables that were added. A table that was made again under the name of one that was copied is refused.
     */
    readonly resume: (
      position: Position,
      copied: ReadonlySet<string>
    ) => Effect.Effect<void, SourceError | PositionLost | CannotContinue>
    /**
     * Compares tables with what was recorded of them when they were copied. Returns what it has found of those that have changed. Fails
     * with what to do if one is another table under the same name, or has other columns under the same names.
     */
    readonly check: (
      tables: ReadonlyArray<CopiedTable>
    ) => Effect.Effect<ReadonlyArray<TableCheck>, SourceError | CannotContinue>
    /**
     * Divides a table that is to be copied into parts, which are read again in another snapshot if they were not done. Together they
     * are all rows.
     */
    readonly split: (table: SourceTable) => Effect.Effect<ReadonlyArray<string>, SourceError | CannotContinue>
    /** Takes a snapshot, which ends with the scope. */
    readonly snapshot: Effect.Effect<TableSnapshot, SourceError, Scope.Scope>
    /** Reads the changes of these tables from a position on. */
    readonly follow: (
      position: Position,
      tables: ReadonlyArray<CopiedTable>
    ) => Effect.Effect<ChangeFeed, SourceError | CannotContinue, Scope.Scope>
  }
>()("@headgate/mover/ChangeSource") {}
