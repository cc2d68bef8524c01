import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { registerDecoder } from "./FastDecoder.ts"

/**
 * A UUID in its 8-4-4-4-12 hexadecimal form. Version and variant bits are not checked: the contract says "UUID"
 * (sections 2.2 and 2.3) and no reader gains from refusing an id that the service handed out.
 */
export const Uuid = Schema.String.check(
  Schema.isGUID({ expected: "a UUID", message: "Expected a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" })
).annotate({ format: "uuid" })

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
 * import { knownString } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Compression = knownString(["gzip", "zstd"])
 * export const usual: typeof Compression.Type = "zstd" // completed by the editor
 * console.log(Schema.decodeUnknownSync(Compression)("lz4")) // lz4
 * ```
 */
export const knownString = <const Known extends ReadonlyArray<string>>(known: Known): KnownString<Known> =>
  Schema.Union([Schema.Literals(known), Schema.StringForLiteralAutocomplete])

/**
 * A text that carries a secret: `Redacted` from decode to print, labelled so that what is printed says what was left
 * out. Encoding gives the text in clear: for the wire, not for a log.
 */
export const secretText = (label: string): Schema.RedactedFromValue<typeof Schema.String> =>
  Schema.RedactedFromValue(Schema.String, { label }).pipe(
    registerDecoder((input) => (Predicate.isString(input) ? Redacted.make(input, { label }) : undefined))
  )
