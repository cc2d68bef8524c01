import type { Brand } from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { IsUnnamed, Primitive } from "./Plain.ts"
import type { Secret } from "./Secret.ts"

/**
 * A value of the domain as callers write it: like `Plain`, but a time may also be a `Date`, a secret a string, and an
 * optional field `undefined`.
 */
export type Input<A> = A extends string & Brand<any>
  ? string
  : A extends Primitive
    ? A
    : A extends DateTime.Utc
      ? Date | string
      : A extends Redacted.Redacted<string>
        ? Secret | string
        : A extends ReadonlyArray<infer Item>
          ? ReadonlyArray<Input<Item>>
          : A extends object
            ? {
                readonly [K in keyof A as IsUnnamed<A, K> extends true ? never : K]:
                  | Input<A[K]>
                  | ({} extends Pick<A, K> ? undefined : never)
              }
            : A

// Not a Map, a URL or an error: by its fields, each would be an empty object.
const isOfFields = (value: object): boolean => Object.prototype.toString.call(value) === "[object Object]"

/**
 * What a caller wrote, as JSON for a schema to check: the text of each `Date`, the value of each secret, and no field
 * that is `undefined`. What JSON cannot say, a `Date` that is no time among it, stays what it is: no schema takes it.
 */
export const written = (input: unknown): unknown => {
  if (!Predicate.isObjectOrArray(input)) return input
  if (input instanceof Date) return Number.isNaN(input.getTime()) ? input : input.toISOString()
  if (Redacted.isRedacted(input)) return Redacted.value(input)
  if (Array.isArray(input)) return input.map(written)
  return isOfFields(input)
    ? Object.fromEntries(
        Object.entries(input).flatMap(([name, field]) => (field === undefined ? [] : [[name, written(field)]]))
      )
    : input
}

// Far beyond any document of the contract, and well within the stack.
const maxDepth = 500

/** The path to a value that stands inside itself, or too deep to be read: neither can be written as JSON. */
export const endlessPath = (
  input: unknown,
  outer: ReadonlyArray<object> = []
): ReadonlyArray<string | number> | undefined => {
  if (!Predicate.isObjectOrArray(input) || Redacted.isRedacted(input)) return undefined
  if (outer.includes(input) || outer.length === maxDepth) return []
  const inner = [...outer, input]
  for (const [name, field] of Object.entries(input)) {
    const path = endlessPath(field, inner)
    if (path !== undefined) return [Array.isArray(input) ? Number(name) : name, ...path]
  }
  return undefined
}
