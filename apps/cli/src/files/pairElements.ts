import { canonicalJson, fieldAt } from "./members.ts"

interface Element {
  readonly json: string
  readonly name: unknown
  readonly index: number
}

const elementOf = (value: unknown, index: number): Element => ({
  json: canonicalJson(value),
  name: fieldAt(value, "name"),
  index
})

const isSame: ReadonlyArray<(one: Element, other: Element) => boolean> = [
  (one, other) => one.json === other.json,
  (one, other) => typeof one.name === "string" && one.name === other.name,
  (one, other) => one.index === other.index
]

/**
 * The index that each element of a list had before: that of an equal one, else of one with the same name, else of the one at the
 * same place. `undefined` for a new element.
 */
export const pairElements = (
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>
): ReadonlyArray<number | undefined> => {
  const free = new Set(before.map(elementOf))
  const elements = after.map(elementOf)
  const pairs = new Map<Element, number>()
  for (const same of isSame) {
    for (const element of elements) {
      const one = pairs.has(element) ? undefined : Array.from(free).find((one) => same(one, element))
      if (one === undefined) continue
      free.delete(one)
      pairs.set(element, one.index)
    }
  }
  return elements.map((element) => pairs.get(element))
}
