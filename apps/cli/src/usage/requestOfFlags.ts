import { type FieldIssue, formatFieldIssues } from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { UsageError } from "../error/CommandError.ts"

/** Checks a request that flags make up. `flagOf` names the flag of a field, by its path, for the error. */
export const requestOfFlags = <A extends object>(
  schema: Schema.Codec<A, unknown>,
  flagOf: (path: string) => string
) => {
  const decode = decodeRequest(schema)
  const named = ({ message, path }: FieldIssue): FieldIssue => ({ path: flagOf(path), message })
  return (request: unknown): Effect.Effect<A, UsageError> =>
    Effect.mapError(
      decode(request),
      ({ issues }) => new UsageError({ message: `${formatFieldIssues(issues.map(named))}.` })
    )
}
