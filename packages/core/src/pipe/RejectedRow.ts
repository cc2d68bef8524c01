import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"

/**
 * A row that the destination of a pipe did not take, as its error table has it. Decided: the contract has no such operation; a service
 * that does not know it answers 404.
 */
export const RejectedRow = looseStruct({
  position: Schema.String.annotate({
    description: "Send it as `before` for the next older ones."
  }),
  // Of a timestamp itself, a document of JSON Schema shows no description.
  at: Schema.Union([Timestamp]).annotate({ description: "When it was rejected." }),
  table: Schema.String.annotate({ description: "The table that did not take it." }),
  source: Schema.String.annotate({ description: "The source of the row." }),
  partition: Schema.String.annotate({ description: "The partition, object or table that it was read from." }),
  from: Schema.String.annotate({ description: "Where its range begins." }),
  to: Schema.String.annotate({ description: "Where its range ends." }),
  row: Schema.Finite.annotate({ description: "Which row of its range it is, from 0." }),
  error: Schema.String.annotate({ description: "Why it was rejected." }),
  bytes: Schema.Finite.annotate({ description: "How many bytes the row has." }),
  isCut: Schema.Boolean.annotate({
    description: "Whether only its first 64 KiB are here."
  }),
  message: nullish(Schema.String, "The row as text; `null` if it is no UTF-8."),
  messageBase64: nullish(Schema.String, "The bytes of a row that is no UTF-8.")
}).pipe(withIdentifier("RejectedRow", "A row that was rejected."))
export type RejectedRow = typeof RejectedRow.Type
