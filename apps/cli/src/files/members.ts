import * as Predicate from "effect/Predicate"
import { createHash } from "node:crypto"

/** The fields of a JSON object. */
export interface Members {
  readonly [name: string]: unknown
}

export const isMembers = (value: unknown): value is Members => Predicate.isObject(value)

/** The fields of a value; none if it is no object. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})

/** A copy without some fields. */
export const without = (value: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** The elements of a JSON list; none for any other value. */
export const elementsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The value at a path such as `kafka.credentials`. */
export const fieldAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce((part: unknown, name) => (isMembers(part) && Object.hasOwn(part, name) ? part[name] : undefined), value)

/** A copy with another value at a path; `undefined` for none. Nothing is added to an object that is not there. */
export const withFieldAt = (value: Members, path: string, field: unknown): Members => {
  const [name = "", ...below] = path.split(".")
  const { [name]: part, ...others } = value
  if (below.length > 0) {
    return isMembers(part) ? { ...value, [name]: withFieldAt(part, below.join("."), field) } : value
  }
  return field === undefined ? others : { ...value, [name]: field }
}

/** Without the fields that are `null` or `undefined`, at every depth. */
export const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (Predicate.isNullish(field) ? [] : [[name, withoutNulls(field)]]))
  )
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])])
  )
}

/** JSON text that is the same for the same value, whatever the order of its fields. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? "null"

/** A digest of {@link canonicalJson}. */
export const digestOf = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32)
