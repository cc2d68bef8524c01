import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export type Json = { readonly [name: string]: unknown }

/** How complex the values are, each in its turn: most faults show in small ones. */
const sizes = [2, 4, 8, 14]

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
      return Result.isSuccess(encoded) ? [encoded.success] : []
    })
  })
  return Array.from({ length: count }, (_, index) => documents[(index * sizes.length + index) % documents.length] ?? {})
}
