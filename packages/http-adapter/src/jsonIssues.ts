import { type FieldIssue, formatPath } from "@headgate/core/error"
import * as Predicate from "effect/Predicate"

/** Far beyond what a service reads; an object that holds itself ends here, too. */
const deepest = 500

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * What JSON cannot say, and where it is. A field that no contract names may hold anything, and `JSON.stringify` would
 * make `null` of `NaN`, leave out `undefined` and throw at a bigint.
 */
export const jsonIssues = (value: unknown, path: ReadonlyArray<string | number> = []): ReadonlyArray<FieldIssue> => {
  if (value === null || Predicate.isString(value) || Predicate.isBoolean(value) || Number.isFinite(value)) return []
  if (path.length < deepest) {
    if (Array.isArray(value)) return value.flatMap((item, index) => jsonIssues(item, [...path, index]))
    if (Predicate.isObjectKeyword(value) && isPlain(value)) {
      return Object.entries(value).flatMap(([name, field]) => jsonIssues(field, [...path, name]))
    }
  }
  return [
    {
      path: formatPath(path),
      message: "Expected JSON: a text, a finite number, true, false, null, a list or a plain object"
    }
  ]
}
