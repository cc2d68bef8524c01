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
 *
 * @example
 * ```ts
 * import { knownString } from "@headgate/core/schema"
 * import * as Schema from "effect/Schema"
 *
 * const Compression = knownString(["gzip", "zstd"])
 * export const usual: typeof Compression.Type = "zstd" // completed by the editor
 * console.log(Schema.decodeUnknownSync(Compression)("lz4")) // lz4
 * ```
 */
export const knownString = <const Known extends ReadonlyArray<string>>(known: Known): KnownString<Known> =>
  Schema.Union([Schema.Literals(known), Schema.StringForLiteralAutocomplete])
