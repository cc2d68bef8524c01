import { fieldIssues, formatFieldIssues, InvalidRequest } from "@headgate/core/error"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { written } from "./Input.ts"

const invalidInput = (error: Schema.SchemaError): InvalidRequest => {
  const issues = fieldIssues(error)
  return new InvalidRequest({ message: formatFieldIssues(issues), issues, attempts: 0 })
}

/** Checks what a caller wrote and reads it as the domain does. Fails with `InvalidRequest`, which names every bad field. */
export const checkedInput = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (input: unknown): Effect.Effect<A, InvalidRequest> =>
    Effect.suspend(() => decode(written(input))).pipe(Effect.mapError(invalidInput))
}
