import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { PositionLost, RangeChanged, SourceError } from "../range/MoveError.ts"
import type { DoneObject } from "../range/DoneObject.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import type { Position, Range } from "../range/Range.ts"

/** The most that one range holds. A source that has one row above `bytes` plans that row alone. */
export interface RangeLimits {
  readonly rows: number
  readonly bytes: number
  /** How long `plan` waits for rows to arrive. */
  readonly wait: Duration.Duration
  /** How long `plan` may wait in place of `wait` while none has arrived. Rows that arrive after `wait` are planned at once. */
  readonly idleWait?: Duration.Duration
}

/** What `plan` found: a range, nothing within the time, or the end of a source that has one. */
export type Plan = (
  | {
      readonly _tag: "Planned"
      readonly to: Position
      readonly rows: number
      readonly bytes: number
      readonly detail?: string
    }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "End" }
) & {
  /** How many objects were found since the last plan that no range will hold: they sort below the position, or changed. */
  readonly skipped?: number
}

/** An object of a range: what the warehouse reads, or why the pipe does not take it. */
export type RangeObject = DoneObject &
  ({ readonly _tag: "Read"; readonly object: ObjectReference } | { readonly _tag: "Refused"; readonly reason: string })

/** A partition of a source, and where it is read from. */
export interface SourcePartition {
  readonly partition: string
  /** The first position that it holds: where a partition begins that was added after the pipe had begun. */
  readonly first: Position
  /** The position at which a new pipe begins, `first` or a later one. */
  readonly start: Position
}

/** How ranges are delivered whose rows do not pass through the mover. A range holds one object at present; `to` is its key. */
export interface ObjectRanges {
  /** The objects of a range, in order. Fails with `RangeChanged` if one is not the one that was planned. */
  readonly reference: (range: Range) => Effect.Effect<ReadonlyArray<RangeObject>, SourceError | RangeChanged>
  /** Compares again what was recorded when the range was planned. Fails with `RangeChanged` if it differs. */
  readonly verify: (range: Range) => Effect.Effect<void, SourceError | RangeChanged>
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
     * looked at bounds them for all partitions together. It returns when a limit is reached, so it waits at most `wait`, or `idleWait`
     * while it finds nothing, and never returns `Nothing` before `wait`. Fails with `PositionLost` if the source no longer holds `from`.
     */
    readonly plan: (
      partition: string,
      from: Position,
      limits: RangeLimits
    ) => Effect.Effect<Plan, SourceError | PositionLost>
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
