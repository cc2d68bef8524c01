import * as Schema from "effect/Schema"
import type * as DateTime from "effect/DateTime"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { PipeState } from "./Pipe.ts"

/** Which part of the history of a pipe is asked for, and how finely. */
export interface HistoryQuery {
  /** The first moment; absent: 24 hours before `to`. */
  readonly from?: DateTime.Utc
  /** The moment after the last one; absent: now. */
  readonly to?: DateTime.Utc
  /**
   * How long a step is: whole minutes, hours or days, such as `1m`, `10m`, `1h`. Absent: as short as the range allows. One that is too
   * short for the range is made longer.
   */
  readonly step?: string
}

/** What a pipe did in a step of its history. */
export const HistoryPoint = looseStruct({
  at: Timestamp.annotate({ description: "When the step begins." }),
  rows: Schema.Finite.annotate({
    description:
      "Rows that were read and delivered in the step, rejected ones included; 0 if the pipe moved and had nothing to do."
  }),
  bytes: Schema.Finite.annotate({ description: "The bytes of these rows, as they were read." }),
  errors: Schema.Finite.annotate({ description: "Rows of the step that the destination rejected." }),
  lag: nullish(
    Schema.Finite,
    "How many rows the source held at the end of the step that were not read; `null` if it did not say."
  ),
  state: PipeState.annotate({ description: "The last state of the pipe in the step." })
}).pipe(withIdentifier("HistoryPoint", "What a pipe did in a step of its history."))
export type HistoryPoint = typeof HistoryPoint.Type

/**
 * What a pipe did over time. A step in which no mover had the pipe has no point: a simulated pipe has none, nor has a stopped one.
 * Decided: the contract has no such operation; a service that does not know it answers 404.
 */
export const PipeHistory = looseStruct({
  from: Timestamp.annotate({ description: "When the first step begins." }),
  to: Timestamp.annotate({ description: "When the last step ends." }),
  stepSeconds: Schema.Int.annotate({
    description:
      "How many seconds a step has: at least 60, and at least 600 in a range that begins more than 24 hours ago."
  }),
  points: Schema.Array(HistoryPoint).annotate({ description: "At most 1,500, the oldest first." })
}).pipe(withIdentifier("PipeHistory", "What a pipe did over time."))
export type PipeHistory = typeof PipeHistory.Type
