import type { PipeId } from "@headgate/core"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { DoneObject, ObjectList } from "../range/DoneObject.ts"
import type { LedgerError, LedgerWriteError } from "../range/MoveError.ts"
import type { DeliveredRows, KnownTables, PendingRange, Position, Range, RejectedRows, Staged } from "../range/Range.ts"

/** Which mover owns a pipe. */
export interface Owner {
  readonly pipeId: PipeId
  /** Rises each time that a mover takes the pipe. A restored backup sets it back, so two owners may have the same one. */
  readonly epoch: number
  /** Random, and never used twice. */
  readonly id: string
}

/** A delivery of a source from its beginning, or from `starts`. */
export interface Generation {
  readonly generation: number
  readonly source: string
  /** Where its partitions begin. A partition that is not here was added later, and begins at its first position. */
  readonly starts: ReadonlyMap<string, Position>
  /** The earlier generation since which objects are recorded as read. Absent: this one, and those of earlier ones are forgotten. */
  readonly objectsSince?: number
}

/** What was delivered of a range. */
export interface Delivered extends DeliveredRows {
  /** The objects that it held, for the record of objects that were read. */
  readonly objects?: ReadonlyArray<DoneObject>
}

/** What the ledger knows of a pipe. */
export interface LedgerState {
  /** Absent: the pipe has not begun. */
  readonly current?: Generation
  /** The `to` of the last recorded range of each partition: the next range begins there. */
  readonly recorded: ReadonlyMap<string, Position>
  /** The `to` of the last range of each partition that is done. All before it are done. */
  readonly done: ReadonlyMap<string, Position>
  /** The `detail` of the last range of each partition that is done, where it has one. */
  readonly doneDetail: ReadonlyMap<string, string>
  /** In the order in which they were recorded. */
  readonly pending: ReadonlyArray<PendingRange>
  /** For how long movers have tried in vain, as the last one marked it. */
  readonly failingFor: Duration.Duration
  /** What all ranges that were marked as done have delivered, since a generation began anew. */
  readonly delivered: DeliveredRows
  /** The tables of the warehouse that were opened, since a generation began anew. */
  readonly tables: KnownTables
}

/**
 * The port to the record of what is moved. Every write names its owner. It is `OwnershipLost` if another mover took the pipe
 * since, and `LedgerChanged` if the ledger has gone back to before this owner took it, or does not hold what the write
 * follows.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    /** Takes a pipe: the epoch rises, and what earlier owners write from now on is refused. */
    readonly take: (pipeId: PipeId) => Effect.Effect<Owner, LedgerError>
    /** Fails if another mover took the pipe. */
    readonly check: (owner: Owner) => Effect.Effect<void, LedgerWriteError>
    readonly state: (pipeId: PipeId) => Effect.Effect<LedgerState, LedgerError>
    /** `delivered` of the state of each of these pipes that has begun. */
    readonly delivered: (
      pipeIds: ReadonlyArray<PipeId>
    ) => Effect.Effect<ReadonlyMap<PipeId, DeliveredRows>, LedgerError>
    /**
     * Begins a generation. It must be above the current one, whose pending ranges are forgotten. The record of objects is kept if the
     * generation says since when it is. `restored`: of it, only what was restored for this generation is kept. `anew`: the source is
     * read from where a new pipe would begin, so that what was delivered before does not count any more, and its tables may be others.
     */
    readonly begin: (
      owner: Owner,
      next: Generation,
      options?: { readonly objects?: "restored"; readonly anew?: boolean }
    ) => Effect.Effect<void, LedgerWriteError>
    /** Adds objects to the record before a generation begins that keeps only those. */
    readonly restoreObjects: (
      owner: Owner,
      generation: number,
      objects: ReadonlyArray<DoneObject>
    ) => Effect.Effect<void, LedgerWriteError>
    /**
     * Records a range before it is inserted. Compare-and-set: the owner, the generation, and `from` equal to the last
     * recorded position of the partition, or to where the generation begins it, where there is one.
     */
    readonly record: (owner: Owner, range: Range) => Effect.Effect<void, LedgerWriteError>
    /**
     * Records which rows of a pending range are rejected, before any of its rows is written. As long as none is, the same check may
     * replace them by more; another check may replace them by any.
     */
    readonly recordRejected: (
      owner: Owner,
      range: Range,
      rejected: RejectedRows
    ) => Effect.Effect<void, LedgerWriteError>
    /**
     * Marks the oldest pending range of its partition as done, records the objects that it held, and counts what it delivered. A
     * repeat changes nothing.
     */
    readonly markDone: (owner: Owner, range: Range, delivered: Delivered) => Effect.Effect<void, LedgerWriteError>
    /** A list of all objects of the source begins. */
    readonly beginList: (owner: Owner, now: DateTime.Utc) => Effect.Effect<ObjectList, LedgerWriteError>
    /**
     * Which of the objects of a list were read, by their keys: in the version that the list has, or in another one. Those are not
     * forgotten by this list.
     */
    readonly doneObjects: (
      owner: Owner,
      list: ObjectList,
      objects: ReadonlyArray<DoneObject>
    ) => Effect.Effect<ReadonlyMap<string, "same" | "another">, LedgerWriteError>
    /**
     * A list has ended, and had all objects of the source. Objects that two lists did not have are forgotten if 15 days or more lie
     * between them. A list that is never ended forgets nothing.
     */
    readonly endList: (owner: Owner, list: ObjectList) => Effect.Effect<void, LedgerWriteError>
    /**
     * Records where the rows of a pending range are staged, before the first of them is moved. The range is the oldest
     * pending one of its partition, and is not staged elsewhere.
     */
    readonly recordStaged: (owner: Owner, range: Range, staged: Staged) => Effect.Effect<void, LedgerWriteError>
    /**
     * Marks that the move of a part of a staged range begins, with what `Warehouse.beforeMove` said: an owner that finds the mark
     * does not know whether the part was moved.
     */
    readonly markMoving: (
      owner: Owner,
      range: Range,
      part: string,
      before: string
    ) => Effect.Effect<void, LedgerWriteError>
    /** Marks a part of a staged range as moved. A repeat is harmless. */
    readonly markMoved: (owner: Owner, range: Range, part: string) => Effect.Effect<void, LedgerWriteError>
    /** Replaces the detail of a pending range that is not staged: it goes on with fewer objects. */
    readonly recordNarrowed: (owner: Owner, range: Range, detail: string) => Effect.Effect<void, LedgerWriteError>
    /** Keeps the tables of the warehouse that were opened, in place of those before. */
    readonly recordTables: (owner: Owner, tables: KnownTables) => Effect.Effect<void, LedgerWriteError>
    /** Keeps for how long the pipe has been tried in vain, so that a new mover goes on counting; zero when it works. */
    readonly markFailing: (owner: Owner, failingFor: Duration.Duration) => Effect.Effect<void, LedgerWriteError>
  }
>()("@headgate/mover/Ledger") {}
