import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { LedgerWriteError, PositionLost, RangeChanged, SourceError } from "../range/MoveError.ts"
import type { DoneObject } from "../range/DoneObject.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import type { Position, Range } from "../range/Range.ts"

/** The most that one range holds. A source that has one row above `bytes` plans that row alone. */
export interface RangeLimits {
  readonly rows: number
  readonly bytes: number
  /** Objects of one range, by default any number. */
  readonly objects?: number
  /** How long `plan` waits for rows to arrive. */
  readonly wait: Duration.Duration
  /** How long `plan` may wait in place of `wait` while none has arrived. Rows that arrive after `wait` are planned at once. */
  readonly idleTimeout?: Duration.Duration
}

/** What a list of all objects of a source has shown. */
export interface ObjectListing {
  /** How many objects have another version than the one that was read. They are not read again. */
  readonly changed: number
  /** The key of one of them. */
  readonly example?: string
  readonly duration: Duration.Duration
  /** When the next list begins. */
  readonly next?: DateTime.Utc
}

/** What `plan` found: a range, nothing within the time, or the end of a source that has one. */
export type Plan = (
  | {
      readonly _tag: "Planned"
      readonly to: Position
      readonly rows: number
      readonly bytes: number
      readonly detail?: string
      /** What the range holds, if the warehouse reads it. */
      readonly objects?: ReadonlyArray<DoneObject>
    }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "End" }
) & {
  /** The last list of a source of objects that has ended since the last plan. */
  readonly listing?: ObjectListing
}

/** What a pipe has read of a source of objects. The source asks it for each object that it lists, and plans those that it lacks. */
export interface ObjectRecord {
  /** A list of all objects begins. */
  readonly begin: Effect.Effect<void, LedgerWriteError>
  /** Which of these objects were read, or are being read, by their keys: in the version that the list has, or in another one. */
  readonly find: (
    objects: ReadonlyArray<DoneObject>
  ) => Effect.Effect<ReadonlyMap<string, "same" | "another">, LedgerWriteError>
  /** The list has ended, and had all objects. */
  readonly end: Effect.Effect<void, LedgerWriteError>
}

/** An object of a range: what the warehouse reads, or why the pipe does not take it. `size`: its bytes, as they are stored. */
export type RangeObject = DoneObject & { readonly size: number } & (
    | { readonly _tag: "Read"; readonly object: ObjectReference }
    | { readonly _tag: "Refused"; readonly reason: string }
  )

/** A partition of a source, and where it is read from. */
export interface SourcePartition {
  readonly partition: string
  /** The first position that it holds: where a partition begins that was added after the pipe had begun. */
  readonly first: Position
  /** The position at which a new pipe begins, `first` or a later one. */
  readonly start: Position
}

/** How ranges are delivered whose rows do not pass through the mover. A range holds objects, in its detail; `to` is its number. */
export interface ObjectRanges {
  /** The objects of a range, in order, as they were planned. */
  readonly reference: (range: Range) => Effect.Effect<ReadonlyArray<RangeObject>, SourceError | RangeChanged>
  /** The keys of the objects of a range that are not as they were planned, or are gone. */
  readonly changed: (range: Range) => Effect.Effect<ReadonlySet<string>, SourceError | RangeChanged>
  /**
   * The detail of a range without some objects, which are planned again: those that cannot be read with others `alone`, the others as
   * they are then.
   */
  readonly leave: (
    range: Range,
    keys: ReadonlySet<string>,
    alone: boolean
  ) => Effect.Effect<string, SourceError | RangeChanged>
}

/**
 * The port to where rows come from. It keeps no position: ranges are addressed, and can be read any number of times.
 *
 * @example
 * ```ts
 * import { Source } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * export const partitionCount = Effect.gen(function* () {
 *   const source = yield* Source
 *   return (yield* source.partitions).length
 * })
 * ```
 */
export class Source extends Context.Service<
  Source,
  {
    /** Which source this is. A topic that was deleted and made again under its name is another one. */
    readonly identity: Effect.Effect<string, SourceError>
    /** All partitions. New ones may appear at any time. */
    readonly partitions: Effect.Effect<ReadonlyArray<SourcePartition>, SourceError>
    /**
     * Finds the next range of a partition. All partitions plan at the same time, so a source that keeps the rows that it has
     * looked at bounds them for all partitions together. It returns when a limit is reached, so it waits at most `wait`, or `idleTimeout`
     * while it finds nothing, and never returns `Nothing` before `wait`. Fails with `PositionLost` if the source no longer holds `from`.
     */
    readonly plan: (
      partition: string,
      from: Position,
      limits: RangeLimits,
      /** For sources of objects. By default nothing was read. */
      record?: ObjectRecord
    ) => Effect.Effect<Plan, SourceError | PositionLost | LedgerWriteError>
    /**
     * The rows of a range, in order, each as its bytes, unread. Reading a range again gives the same rows, or fails with
     * `RangeChanged` or `PositionLost`: never others.
     */
    readonly read: (range: Range) => Stream.Stream<Uint8Array, SourceError | PositionLost | RangeChanged>
    /** A source that has this is never read by rows: the warehouse reads its ranges. */
    readonly objects?: ObjectRanges
    /**
     * How many rows the source holds, about, that no range was planned for yet; `undefined` before the first plan. Absent: it
     * cannot be told.
     */
    readonly lag?: Effect.Effect<number | undefined, SourceError>
  }
>()("@headgate/mover/Source") {}
