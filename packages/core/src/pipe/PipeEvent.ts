import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { ApiKeyId } from "../id/key.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { PipeState } from "./Pipe.ts"

/**
 * How many events of a pipe, and how many rejected rows of one, are answered at most.
 *
 * @example
 * ```ts
 * import { mostListed } from "@headgate/core/adapter"
 *
 * console.log(mostListed.events, mostListed.errors) // 200 100
 * ```
 */
export const mostListed = { events: 200, errors: 100 }

/** Which part of a list that begins with the newest is asked for. */
export interface BeforeQuery {
  /** The `position` of an element: the list begins with the next older one. Absent: it begins with the newest. */
  readonly before?: string
  /** The most elements; absent: as many as the list allows. */
  readonly limit?: number
}

/** A checked {@link BeforeQuery}. `most` elements; `position`: what a position looks like, and what it is one of. */
export const beforePage = (
  { before, limit }: BeforeQuery,
  most: number,
  position: { readonly pattern: RegExp; readonly of: string }
): Effect.Effect<{ readonly before: string | undefined; readonly limit: number }, InvalidRequest> => {
  const wanted = limit ?? most
  const issues = [
    ...(before === undefined || position.pattern.test(before)
      ? []
      : [{ path: "before", message: `Expected the position of ${position.of}` }]),
    ...(Number.isInteger(wanted) && wanted >= 1 && wanted <= most
      ? []
      : [{ path: "limit", message: `Expected a whole number from 1 to ${most}` }])
  ]
  return issues.length > 0 ? Effect.fail(invalidRequest(issues)) : Effect.succeed({ before, limit: wanted })
}

const PipeEventKey = looseStruct({
  id: ApiKeyId,
  name: nullish(Schema.String, "Its name at that time.")
}).pipe(withIdentifier("PipeEventKey", "The API key of a call."))

/**
 * A change of the state of a pipe. Decided: the contract has no such operation; a service that does not know it answers 404.
 */
export const PipeEvent = looseStruct({
  position: Schema.String.annotate({
    description: "Send it as `before` for the next older ones."
  }),
  // Of a timestamp itself, a document of JSON Schema shows no description.
  at: Schema.Union([Timestamp]).annotate({ description: "When the state changed." }),
  from: Schema.NullOr(PipeState).annotate({ description: "The state before; `null`: the pipe was created." }),
  to: PipeState.annotate({ description: "The state after." }),
  message: nullish(
    Schema.String,
    "Why the pipe is in its state, if something failed; of a completed pipe, what was rejected."
  ),
  by: knownString(["caller", "mover", "simulation"]).annotate({
    description:
      "What changed the state: a caller, the mover of the pipe, or the simulation of a pipe that moves no rows."
  }),
  key: nullish(PipeEventKey, "The key of the caller; `null` for readers without `key:read`."),
  mover: nullish(Schema.String, "The process that moves the pipe.")
}).pipe(withIdentifier("PipeEvent", "A change of the state of a pipe."))
export type PipeEvent = typeof PipeEvent.Type
