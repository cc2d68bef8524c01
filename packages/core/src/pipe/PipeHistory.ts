import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { PipeState } from "./Pipe.ts"

// Of a timestamp itself, a document of JSON Schema shows no description.
const time = (description: string) => Schema.Union([Timestamp]).annotate({ description })

/**
 * Which part of the history of a pipe is asked for, and how finely.
 *
 * @example
 * ```ts
 * import { type HistoryQuery, type PipeAddress, Pipes } from "@headgate/core"
 *
 * const hours: HistoryQuery = { step: "1h" }
 * export const lastDay = (address: PipeAddress) => Pipes.use((pipes) => pipes.history(address, hours))
 * ```
 */
export const HistoryQuery = Schema.Struct({
  from: Schema.optionalKey(time("The first moment; by default 24 hours before `to`.")),
  to: Schema.optionalKey(time("The moment after the last one; by default now.")),
  step: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "How long a step is: whole minutes, hours or days, such as `1m`, `10m` or `1h`; by default as short as the range allows. One that is too short for the range is made longer."
    })
  )
})
export type HistoryQuery = typeof HistoryQuery.Type

/** What a pipe did in a step of its history. */
export const HistoryPoint = looseStruct({
  at: time("When the step begins."),
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
  from: time("When the first step begins."),
  to: time("When the last step ends."),
  stepSeconds: Schema.Int.annotate({
    description:
      "How many seconds a step has: at least 60, and at least 600 in a range that begins more than 24 hours ago."
  }),
  points: Schema.Array(HistoryPoint).annotate({ description: "At most 1,500, the oldest first." })
}).pipe(withIdentifier("PipeHistory", "What a pipe did over time."))
export type PipeHistory = typeof PipeHistory.Type
