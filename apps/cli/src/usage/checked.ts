import { fieldIssues, formatFieldIssues } from "@headgate/core"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Which flag or argument a text was given for. */
export interface Place {
  readonly kind: "flag" | "argument"
  readonly name: string
}

export const invalid = (place: Place, value: string, expected: string): CliError.InvalidValue =>
  new CliError.InvalidValue({ option: place.name, kind: place.kind, value, expected })

/** Checks what was typed against a schema of the domain. The error names the flag, the value and what was expected. */
export const checked = <A, I>(place: Place, schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (text: string): Effect.Effect<A, CliError.InvalidValue> =>
    Effect.mapError(decode(text), (error) => invalid(place, text, formatFieldIssues(fieldIssues(error))))
}
