import * as Schema from "effect/Schema"

/** A schema of any string that knows some values by name. See {@link knownString}. */
export type KnownString<Known extends ReadonlyArray<string>> = Schema.Union<
  readonly [Schema.Literals<Known>, typeof Schema.StringForLiteralAutocomplete]
>

/**
 * An open string: every string decodes, because the service adds values without notice, while the known ones are
 * there for completion, for the JSON Schema and for checks on create.
 *
 * Used wherever the contract writes "allowed values: not shown".
 */
export const knownString = <const Known extends ReadonlyArray<string>>(known: Known): KnownString<Known> =>
  Schema.Union([Schema.Literals(known), Schema.StringForLiteralAutocomplete])
