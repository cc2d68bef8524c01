const plain =
  /^(?:U?Int(?:8|16|32|64|128|256)|Float(?:32|64)|String|Bool|UUID|IPv[46]|Date(?:32)?|DateTime(?:\('[A-Za-z0-9_+/-]{1,64}'\))?|DateTime64\([0-9](?:, '[A-Za-z0-9_+/-]{1,64}')?\)|Decimal\([1-9]\d?, \d{1,2}\))$/

const nullable = /^Nullable\((.*)\)$/s

/**
 * Whether values may be cast to a type: a plain data type as the engine writes it, or the nullable form of one.
 *
 * @example
 * ```ts
 * import { isCastType } from "@headgate/core/adapter"
 *
 * console.log(isCastType("Nullable(Float64)"), isCastType("AggregateFunction(sum, Int8)")) // true false
 * ```
 */
export const isCastType = (type: string): boolean => plain.test(nullable.exec(type)?.[1] ?? type)

const spelled = new Map(
  [
    ...[8, 16, 32, 64, 128, 256].flatMap((bits) => [`Int${bits}`, `UInt${bits}`]),
    ..."Float32 Float64 String Bool UUID IPv4 IPv6 Date Date32 DateTime DateTime64 Decimal Nullable".split(" ")
  ].map((name) => [name.toLowerCase(), name])
)

/** The name of a type as the engine spells it; in a text of a caller, case does not matter. */
export const typeName = (name: string): string | undefined => spelled.get(name.toLowerCase())
