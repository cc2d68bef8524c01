import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { registerDecoder, registerEncoder } from "./FastDecoder.ts"

/**
 * A UUID in its 8-4-4-4-12 hexadecimal form. Version and variant bits are not checked, so that every id of the service
 * is accepted. Contract: docs/wire-contract.md#fields-of-a-pipe and docs/wire-contract.md#fields-of-an-api-key.
 */
export const Uuid = Schema.String.annotate({ format: "uuid" }).check(
  Schema.isGUID({ expected: "a UUID", message: "Expected a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" })
)

/** The schema of any string with some known values. {@link knownString} makes it. */
export type KnownString<Known extends ReadonlyArray<string>> = Schema.Union<
  readonly [Schema.Literals<Known>, typeof Schema.StringForLiteralAutocomplete]
>

/**
 * A string with known values. Editors and JSON Schema list them, but every string is valid, because the service may add
 * values. It is used where the contract says "allowed values: not shown".
 *
 * @example
 * ```ts
 * import { knownString } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Compression = knownString(["gzip", "zstd"])
 * export const common: typeof Compression.Type = "zstd" // completed by the editor
 * console.log(Schema.decodeUnknownSync(Compression)("lz4")) // lz4
 * ```
 */
export const knownString = <const Known extends ReadonlyArray<string>>(known: Known): KnownString<Known> =>
  Schema.Union([Schema.Literals(known), Schema.StringForLiteralAutocomplete])

/**
 * A value that is passed on as it is, whatever it is: the service judges it. `A` is its type where it is valid, and `typeName`
 * the name of its schema. That schema is not part of it, so a client does not carry it.
 */
export const passedOn = <A>(typeName: string): Schema.Codec<A> =>
  Schema.make<Schema.Codec<A>>(Schema.Unknown.annotate({ [passedOnType]: typeName }).ast)

/** The annotation of `passedOn` with the name of the schema. */
export const passedOnType = "@headgate/core/passedOnType"

/**
 * A value that is a secret. It decodes to `Redacted`, which prints as its label. Encoding takes a secret with any label, since
 * a caller may have made it, and returns it in plain text: send it, do not log it.
 */
export const secret = <S extends Schema.Constraint>(
  schema: S,
  label: string
): Schema.decodeTo<Schema.Redacted<Schema.toType<S>>, S> =>
  Schema.decodeTo<Schema.Redacted<Schema.toType<S>>, S>(Schema.Redacted(Schema.toType(schema)), {
    decode: SchemaGetter.transform((value) => Redacted.make(value, { label })),
    encode: SchemaGetter.transform(Redacted.value)
  })(schema)

const writeSecret = (value: unknown): string | undefined => {
  const text = Redacted.isRedacted(value) ? Redacted.value(value) : undefined
  return Predicate.isString(text) ? text : undefined
}

/** A string that is a {@link secret}. A field that must be there has its description here. */
export const secretText = (label: string, description?: string) =>
  secret(description === undefined ? Schema.String : Schema.String.annotate({ description }), label).pipe(
    registerDecoder((input) => (Predicate.isString(input) ? Redacted.make(input, { label }) : undefined)),
    registerEncoder(writeSecret)
  )
