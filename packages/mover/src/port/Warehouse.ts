import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type {
  CannotContinue,
  ObjectRejected,
  RangeChanged,
  RejectionChanged,
  SourceError,
  WarehouseError,
  WarehouseRefused
} from "../range/MoveError.ts"
import type { DoneObject } from "../range/DoneObject.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import type { KnownTables, Position, Range, RejectedRows, Staged, StagedPart } from "../range/Range.ts"
import type { UnknownFields } from "../range/UnknownFields.ts"
import type { Owner } from "./Ledger.ts"

/** What the destination table can promise. */
export interface Destination {
  readonly guarantee: "exactly once" | "at least once"
  /** How long a token is remembered. Absent: time does not matter. */
  readonly remembersFor?: Duration.Duration
  /** What somebody has changed about the table since this warehouse opened it first. */
  readonly warnings?: ReadonlyArray<string>
  /** The table that was opened. Absent: the warehouse cannot tell its tables from others. */
  readonly tables?: KnownTables
  /** Whether the pipe has created the table, now or before. Absent: it is not known. */
  readonly isCreated?: boolean
}

/** A row that the destination cannot take, as it goes to the error table. */
export interface RejectedRow {
  readonly content: Uint8Array
  readonly reason: string
}

/** A rejected row of a range. */
export interface RejectedRangeRow extends RejectedRow {
  /** Which row of its range, from 0. */
  readonly row: number
}

/** What became of the rows of an insert. */
export interface InsertedRows {
  /** The fields of the rows for which the table has no column. */
  readonly unknownFields: UnknownFields
  /** The rows that were left out, in their order, with the reason. */
  readonly rejected: ReadonlyArray<Omit<RejectedRangeRow, "content">>
}

/** How the rows that an insert leaves out are recorded, so that its repeat leaves out the same ones. */
export interface RejectionRecord<E> {
  /** What was recorded before: these rows are left out, and no others. */
  readonly recorded?: RejectedRows
  /** Called with the rows that are left out, if there are any, before one of the others can be in the table; again if it finds more. */
  readonly record: (rejected: RejectedRows) => Effect.Effect<void, E>
}

/** Objects that were staged, and their fields for which the table has no column. */
export interface StagedObject extends Staged {
  readonly unknownFields: UnknownFields
  /** The keys of those that have no row at all, in their order. Absent: none. */
  readonly empty?: ReadonlyArray<string>
}

/** What the log of the warehouse holds for a pipe: its last generation, and the last position of each partition in it. */
export interface LoggedPositions {
  readonly generation: number
  readonly positions: ReadonlyMap<string, Position>
  /**
   * How many inserts the table has had, of all clients, if it forgets tokens after a number of them. It may count more than
   * there were. If the table is emptied or made anew, the count may begin again, and inserts into partitions that were dropped may
   * be missing.
   */
  readonly inserts?: number
}

/** Objects that a pipe has read. */
export interface LoggedObjects {
  /** The generation since which the pipe records what it has read; 0 if nothing is logged. */
  readonly since: number
  readonly objects: ReadonlyArray<DoneObject>
}

/**
 * The port to where rows go.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { Warehouse } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * export const guaranteeOf = Effect.fn("guaranteeOf")(function* (pipeId: PipeId) {
 *   const warehouse = yield* Warehouse
 *   return (yield* warehouse.open(pipeId, 10_000)).guarantee
 * })
 * ```
 */
export class Warehouse extends Context.Service<
  Warehouse,
  {
    /**
     * Creates the destination table, or checks the one that exists. `window` is the number of inserts whose tokens the table
     * must remember; on a table that the pipe did not create, a smaller one is `WarehouseRefused` with the statement to run.
     * `known`: the table has rows of the pipe, so that it is not created, and another one of its name is refused.
     */
    readonly open: (
      pipeId: PipeId,
      window: number,
      known?: KnownTables
    ) => Effect.Effect<Destination, WarehouseError | WarehouseRefused>
    /**
     * Inserts the rows as one block under a token: all but those that it rejects, or none. It may read the rows more than once. A token
     * that was used before inserts nothing and succeeds. The rejected rows are named whether the token was used or not. Fails with
     * `RejectionChanged` if it rejects a row that was not among those that another check has recorded.
     */
    readonly insert: <E>(
      owner: Owner,
      range: Range,
      token: string,
      rows: Stream.Stream<Uint8Array, E>,
      rejections: RejectionRecord<E>
    ) => Effect.Effect<InsertedRows, E | WarehouseError | WarehouseRefused | RejectionChanged>
    /** Inserts rows into the error table, as one block under a token. */
    readonly insertRejected: <E>(
      range: Range,
      token: string,
      rows: Stream.Stream<RejectedRangeRow, E>
    ) => Effect.Effect<void, E | WarehouseError | WarehouseRefused>
    /**
     * Ends what earlier owners of the pipe still run, waits for its end, and deletes what they have staged, except the
     * stagings in `keep`. What later owners have staged stays.
     */
    readonly takeOver: (
      owner: Owner,
      keep: ReadonlySet<string>
    ) => Effect.Effect<void, WarehouseError | WarehouseRefused>
    /**
     * Reads objects into a staging of this range and owner, which begins empty each time. If it fails, nothing of the
     * objects is in the table. A warehouse that promises "at least once" may insert the rows at once, and return no parts. If
     * that fails, some of the rows may be in the table, and the reason of an `ObjectRejected` says so. Fails with `RangeChanged` if
     * the storage has another object by then, and with `SourceError` if the storage does not give it.
     */
    readonly stage: (
      owner: Owner,
      range: Range,
      objects: ReadonlyArray<ObjectReference>
    ) => Effect.Effect<StagedObject, WarehouseError | WarehouseRefused | ObjectRejected | SourceError | RangeChanged>
    /**
     * Reads an object that `stage` has rejected row by row, into a staging of this range and owner. Rows that the table does not take
     * are kept beside it, for `copyRejected`. Nothing is in the table or in the error table after that. Fails with `ObjectRejected` if its rows
     * cannot be told apart: such an object goes to the error table whole.
     */
    readonly stageRows: (
      owner: Owner,
      range: Range,
      object: ObjectReference
    ) => Effect.Effect<StagedObject, WarehouseError | WarehouseRefused | ObjectRejected | SourceError | RangeChanged>
    /**
     * Copies the rejected rows of a recorded staging into the error table, and returns how many there are; none of a staging that `stage`
     * made. A repeat changes nothing.
     */
    readonly copyRejected: (range: Range, staging: string) => Effect.Effect<number, WarehouseError | WarehouseRefused>
    /** What proves later that the table did not get this part: for the ledger, before the part is moved for the first time. */
    readonly beforeMove: (part: StagedPart) => Effect.Effect<string, WarehouseError | WarehouseRefused>
    /**
     * Moves a part into the table, as a whole. A part that was moved before is not moved again, and succeeds. `before`: what
     * `beforeMove` said, if an earlier move of this part has begun. Fails with `CannotContinue` if nothing proves whether that
     * one moved it.
     */
    readonly movePart: (
      staging: string,
      part: StagedPart,
      before?: string
    ) => Effect.Effect<void, WarehouseError | WarehouseRefused | CannotContinue>
    /** Deletes a staging. A repeat is harmless. */
    readonly discard: (staging: string) => Effect.Effect<void, WarehouseError | WarehouseRefused>
    /**
     * Writes to the log that everything up to `to` of this range is in the table. A range that was logged before changes
     * nothing, however late: a mover that was frozen logs a range that the next owner has replayed, logged and passed. The objects
     * that the range held are written before.
     */
    readonly log: (range: Range, objects?: LoggedObjects) => Effect.Effect<void, WarehouseError | WarehouseRefused>
    /**
     * The objects of the last generation since which some were logged, in the order of their keys, after one of them: as many as
     * memory takes, and none at the end. Their rows are in the table or in the error table.
     */
    readonly loggedObjects: (
      pipeId: PipeId,
      after: string
    ) => Effect.Effect<LoggedObjects, WarehouseError | WarehouseRefused>
    /** What the log holds, and the inserts of the open table; generation 0 and no positions for a pipe that it does not know. */
    readonly logged: (pipeId: PipeId) => Effect.Effect<LoggedPositions, WarehouseError | WarehouseRefused>
  }
>()("@headgate/mover/Warehouse") {}
