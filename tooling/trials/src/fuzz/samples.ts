import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export type Json = { readonly [name: string]: unknown }

/** How complex the values are, each in its turn: most faults show in small ones. */
const sizes = [2, 4, 8, 14]

/**
 * Without a field called `\`. In Node 24.21 a JSON.parse that has seen one reads other one-character names that are
 * written as escapes (`"\t"`, `"\u0041"`) as `\` too: a fault of the engine, which the server and this trial share.
 */
const withoutBackslashNames = (document: unknown): Json =>
  JSON.parse(JSON.stringify(document).replaceAll(String.raw`"\\":`, String.raw`"\\\\":`))

/** Documents as the wire has them, of anything that a schema allows, unknown fields included. */
export const sampleEncoded = <S extends Schema.Codec<unknown, Json>>(
  schema: S,
  { count, seed }: { readonly count: number; readonly seed: number }
): ReadonlyArray<Json> => {
  const encode = Schema.encodeUnknownResult(schema)
  const documents = sizes.flatMap((size) => {
    const sample = Arbitrary.sampleEffect(Arbitrary.schema(schema), { count, size, seed: `${seed} ${size}` })
    return Effect.runSync(sample).flatMap((value) => {
      // A year that RFC 3339 cannot write is nothing that a client could send.
      const encoded = encode(value)
      return Result.isSuccess(encoded) ? [withoutBackslashNames(encoded.success)] : []
    })
  })
  return Array.from({ length: count }, (_, index) => documents[(index * sizes.length + index) % documents.length] ?? {})
}
