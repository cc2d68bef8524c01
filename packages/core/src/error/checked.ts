import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "./CallError.ts"
import { fieldIssues } from "./FieldIssue.ts"
import { invalidRequest } from "./invalidRequest.ts"

/**
 * Checks a request that did not come through a decoder: a caller in this process is held to the rules that hold on the
 * wire. Fails with `InvalidRequest`, which names every field that is wrong.
 */
export const checked = <A>(schema: Schema.Codec<A, unknown>) => {
  const check = Schema.decodeEffect(Schema.toType(schema), { errors: "all" })
  return (request: A): Effect.Effect<A, InvalidRequest> =>
    Effect.mapError(check(request), (error) => invalidRequest(fieldIssues(error)))
}
