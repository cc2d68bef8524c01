import * as Predicate from "effect/Predicate"
import { canonicalJson, elementsOf, isMembers } from "./members.ts"

/** A field that is not as its file says. An absent value is `undefined`. */
export interface Difference {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

const isRows = (value: unknown): boolean => {
  const elements = elementsOf(value)
  return elements.length > 0 && elements.every(isMembers)
}

const below = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

/**
 * The fields that differ; `null` is the same as absent. `exact`: those of both sides. `given`: only those that `after` has,
 * because a file does not manage what it leaves out.
 */
export const differences = (
  before: unknown,
  after: unknown,
  which: "exact" | "given",
  path = ""
): ReadonlyArray<Difference> => {
  if (Predicate.isNullish(before) && Predicate.isNullish(after)) return []
  if (isMembers(before) && isMembers(after)) {
    const names = which === "exact" ? new Set([...Object.keys(before), ...Object.keys(after)]) : Object.keys(after)
    return Array.from(names).flatMap((name) => differences(before[name], after[name], which, below(path, name)))
  }
  if (isRows(before) && isRows(after)) {
    const [stored, wanted] = [elementsOf(before), elementsOf(after)]
    return Array.from({ length: Math.max(stored.length, wanted.length) }, (_, index) => index).flatMap((index) =>
      differences(stored[index], wanted[index], which, `${path}[${index}]`)
    )
  }
  return canonicalJson(before) === canonicalJson(after) ? [] : [{ path, before, after }]
}

/** The fields of what is new: those of objects, and the elements of lists of objects. An empty list is a field. */
export const newFields = (value: unknown, path = ""): ReadonlyArray<Difference> => {
  if (isMembers(value)) return Object.entries(value).flatMap(([name, field]) => newFields(field, below(path, name)))
  if (isRows(value)) return elementsOf(value).map((after, index) => ({ path: `${path}[${index}]`, after }))
  return Predicate.isNullish(value) ? [] : [{ path, after: value }]
}
