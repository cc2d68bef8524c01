/** Floats of two engines may differ in their last digits: sums are not added in the same order. */
const tolerance = 1e-12

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Whether two values of answers are the same. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (typeof one === "number" && typeof other === "number") {
    return one === other || Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other))
  }
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  }
  if (isObject(one) && isObject(other)) {
    const [names, others] = [Object.keys(one), Object.keys(other)]
    return names.length === others.length && names.every((name) => name in other && isSame(one[name], other[name]))
  }
  return one === other
}

/** The first difference of two lists of rows in words; `undefined` if there is none. */
export const difference = (found: ReadonlyArray<unknown>, expected: ReadonlyArray<unknown>): string | undefined => {
  const index = expected.findIndex((row, at) => !isSame(row, found[at]))
  if (index >= 0)
    return `row ${index}: expected ${JSON.stringify(expected[index])}, found ${JSON.stringify(found[index])}`
  return found.length === expected.length ? undefined : `expected ${expected.length} rows, found ${found.length}`
}
