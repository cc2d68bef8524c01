/**
 * A value of a query, as its data type says: whole numbers, `Bool` (0 and 1), decimals (without their point), dates (days) and times
 * (seconds, or the smallest unit of a `DateTime64`, since 1970) are bigints. A map is a list of lists of a key and a value.
 */
export type Value = null | bigint | number | string | ReadonlyArray<Value>

/** The values of the columns of a table, in their order. */
export type Row = ReadonlyArray<Value>

const wrong = (value: unknown, expected: string): never => {
  throw new TypeError(`expected ${expected}, got ${typeof value}`)
}

// The types of an expression say which of these fits.
export const whole = (value: Value): bigint => (typeof value === "bigint" ? value : wrong(value, "a whole number"))
export const textOf = (value: Value): string => (typeof value === "string" ? value : wrong(value, "a text"))
export const listOf = (value: Value): ReadonlyArray<Value> =>
  typeof value === "object" && value !== null ? value : wrong(value, "a list")
/** The two values of an entry of a map. */
export const entryOf = (value: Value): readonly [Value, Value] => {
  const [key = null, held = null] = listOf(value)
  return [key, held]
}

export const flag = (is: boolean): bigint => (is ? 1n : 0n)
export const powerOf10 = (exponent: number): bigint => 10n ** BigInt(exponent)

/** Rounded down. */
export const floorDivide = (value: bigint, by: bigint): bigint =>
  value % by !== 0n && value < 0n !== by < 0n ? value / by - 1n : value / by
