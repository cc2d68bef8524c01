import { fieldIssues, formatFieldIssues } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CliError from "effect/cli/CliError"

/** The flag or argument that a text was given for. */
export interface Parameter {
  readonly kind: "flag" | "argument"
  readonly name: string
}

/** The error of a value that a flag or argument does not accept. */
export const invalidValue = ({ kind, name }: Parameter, value: string, expected: string): CliError.InvalidValue =>
  new CliError.InvalidValue({ option: name, kind, value, expected })

/** Decodes the text of a flag or argument. The error names the flag, the value and what was expected. */
export const validate = <A, I>(parameter: Parameter, schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (text: string): Effect.Effect<A, CliError.InvalidValue> =>
    Effect.mapError(decode(text), (error) => invalidValue(parameter, text, formatFieldIssues(fieldIssues(error))))
}
