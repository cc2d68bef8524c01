import * as Schema from "effect/Schema"
import { PipeId } from "../id/pipe.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { PipeState } from "./Pipe.ts"

const UnknownField = looseStruct({
  name: Schema.String.annotate({
    description: "The name of the field; `others` stands for those beyond the first 100."
  }),
  rows: nullish(
    Schema.Finite,
    "How many rows had it; `null` where rows are not counted: in objects and in tables of a database."
  )
}).pipe(withIdentifier("UnknownField", "A field of rows for which the destination has no column."))

const notedObjects = (description: string) =>
  nullish(
    looseStruct({
      count: Schema.Finite.annotate({ description: "How many there are." }),
      newest: Schema.Array(Schema.String).annotate({
        description: "The keys of the newest five, each cut at 200 characters; the newest first."
      })
    }).pipe(withIdentifier("NotedObjects", "Objects of a source, and the newest of them.")),
    description
  )

/**
 * How a pipe goes on, which {@link Pipe} has no field for. A service that does not know this operation answers 404. Decided: the
 * contract has no such operation.
 */
export const PipeStatus = looseStruct({
  state: PipeState.annotate({ description: "The current state of the pipe." }),
  message: nullish(
    Schema.String,
    "Why the pipe is in its state, if something failed; of a completed pipe, what was rejected."
  ),
  since: nullish(Timestamp, "Since when the pipe is in its state; `null` after an import."),
  next: nullish(PipeState, "The state that comes next by itself."),
  due: nullish(Timestamp, "When it comes."),
  simulated: Schema.Boolean.annotate({ description: "Whether the states are a simulation: nothing is moved." }),
  warehouse: nullish(Schema.String, "The name of the warehouse that a pipe moves its rows to."),
  guarantee: nullish(Schema.String, "What the destination table promises: `exactly once` or `at least once`."),
  mover: nullish(Schema.String, "The process that moves the pipe."),
  rows: nullish(
    Schema.Finite,
    "Rows that were read and delivered, rejected ones included, since the pipe last began at the start of its source."
  ),
  bytes: nullish(Schema.Finite, "The bytes of these rows, as they were read."),
  rowsPerSecond: nullish(Schema.Finite, "Rows a second, of the last seconds."),
  bytesPerSecond: nullish(Schema.Finite, "Bytes a second, of the last seconds."),
  lag: nullish(Schema.Finite, "How many rows the source holds that are not read yet."),
  errors: nullish(Schema.Finite, "Rows that the destination rejected, which are in the error table."),
  unknownFields: nullish(
    Schema.Array(UnknownField),
    "Fields of rows for which the destination has no column, and whose values are left out."
  ),
  skippedKeys: nullish(Schema.Finite, "Objects that have changed since they were read, and are not read again."),
  rejectedObjects: notedObjects(
    "Objects that are in the error table whole, by their keys: too large, refused, damaged, or not divided into rows."
  ),
  emptyObjects: notedObjects("Objects that have bytes and no row."),
  listSeconds: nullish(Schema.Finite, "How many seconds the last list of all objects of the source took."),
  nextList: nullish(Timestamp, "When the next list of all objects begins; it has begun if that is past."),
  retainedLogBytes: nullish(
    Schema.Finite,
    "Bytes of its log that a Postgres source keeps for the pipe, also while the pipe is stopped; `null` if the source does not answer."
  ),
  warnings: nullish(Schema.Array(Schema.String), "What needs attention while the pipe moves, and what to do.")
}).pipe(withIdentifier("PipeStatus", "How a pipe goes on."))
export type PipeStatus = typeof PipeStatus.Type

/** The status of a pipe among those of its service, with the id of the pipe. */
export const ListedPipeStatus = looseStruct({
  id: PipeId.annotate({ description: "The id of the pipe." }),
  ...PipeStatus.schema.fields
}).pipe(withIdentifier("ListedPipeStatus", "How a pipe of a service goes on."))
export type ListedPipeStatus = typeof ListedPipeStatus.Type
