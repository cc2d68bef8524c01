import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"

/**
 * A row that the destination of a pipe did not take, as its error table has it. Decided: the contract has no such operation; a service
 * that does not know it answers 404.
 */
export const RejectedRow = looseStruct({
  position: Schema.String.annotate({
    description:
      "Where the row stands among the rejected ones of its pipe: send it as `before` for the next older ones."
  }),
  // Of a timestamp itself, a document of JSON Schema shows no description.
  at: Schema.Union([Timestamp]).annotate({ description: "When the row was written to the error table." }),
  table: Schema.String.annotate({ description: "The table that did not take it." }),
  source: Schema.String.annotate({ description: "The source, as the mover of the pipe names it." }),
  partition: Schema.String.annotate({ description: "The partition, shard, object or table that it was read from." }),
  from: Schema.String.annotate({ description: "Where the range begins that it was read with." }),
  to: Schema.String.annotate({ description: "Where that range ends." }),
  row: Schema.Finite.annotate({ description: "Which row of that range it is, from 0." }),
  error: Schema.String.annotate({ description: "Why the destination did not take it." }),
  bytes: Schema.Finite.annotate({ description: "How many bytes the message has." }),
  isCut: Schema.Boolean.annotate({
    description: "Whether only the beginning of the message is here: its first 64 KiB."
  }),
  message: nullish(Schema.String, "The row as it was read; `null` if it is no UTF-8."),
  messageBase64: nullish(Schema.String, "The bytes of a message that is no UTF-8, as base64.")
}).pipe(withIdentifier("RejectedRow", "A row that the destination of a pipe did not take."))
export type RejectedRow = typeof RejectedRow.Type
