import * as Predicate from "effect/Predicate"
import { type FieldIssue, formatPath } from "./FieldIssue.ts"

// Far beyond what a service reads, and well within the stack.
const deepest = 500

// In a graph of many objects there are more than anyone would read.
const most = 10

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * What JSON cannot say, and where it is: ten places at most. A field that no contract names may hold anything, and `JSON.stringify` would
 * make `null` of `NaN` and `{}` of a `Map`, leave out `undefined` and throw at a bigint.
 *
 * @example
 * ```ts
 * import { formatFieldIssues, jsonIssues } from "@headgate/core/error"
 *
 * console.log(formatFieldIssues(jsonIssues({ name: "ci", owner: { since: Number.NaN } })))
 * // owner.since: Expected JSON: a text, a finite number, true, false, null, a list or a plain object
 * ```
 */
export const jsonIssues = (value: unknown): ReadonlyArray<FieldIssue> => {
  const issues: Array<FieldIssue> = []
  // Each object is gone into once: where many hold one another, the ways through them are beyond counting.
  const seen = new Set<object>()
  const outer = new Set<object>()

  const refuse = (path: ReadonlyArray<string | number>, what: string) =>
    void issues.push({ path: formatPath(path), message: `Expected JSON: ${what}` })

  const visit = (value: unknown, path: ReadonlyArray<string | number>): void => {
    if (issues.length === most) return
    if (value === null || Predicate.isString(value) || Predicate.isBoolean(value) || Number.isFinite(value)) return
    if (!Predicate.isObjectOrArray(value) || !(Array.isArray(value) || isPlain(value))) {
      return refuse(path, "a text, a finite number, true, false, null, a list or a plain object")
    }
    if (outer.has(value) || path.length === deepest) return refuse(path, "this stands inside itself, or too deep")
    if (seen.has(value)) return
    seen.add(value)
    outer.add(value)
    // The places of a list that hold nothing are gone through, too.
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index])
    else for (const [name, field] of Object.entries(value)) visit(field, [...path, name])
    outer.delete(value)
  }

  visit(value, [])
  return issues
}
