import type { Brand } from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { IsUnnamed } from "./Plain.ts"
import type { Secret } from "./Secret.ts"

/**
 * A value of the domain as callers write it: like `Plain`, but a time may also be a `Date`, a secret a string, and an
 * optional field `undefined`.
 */
export type Input<A> = A extends DateTime.Utc
  ? Date | string
  : A extends Redacted.Redacted<string>
    ? Secret | string
    : A extends string & Brand<any>
      ? string
      : A extends ReadonlyArray<infer Item>
        ? ReadonlyArray<Input<Item>>
        : A extends object
          ? {
              readonly [K in keyof A as IsUnnamed<A, K> extends true ? never : K]:
                | Input<A[K]>
                | ({} extends Pick<A, K> ? undefined : never)
            }
          : A

/**
 * What a caller wrote, as JSON for a schema to check: the text of each `Date`, the value of each secret, and no field
 * that is `undefined`. A `Date` that is no time stays words, which no schema takes for a time.
 */
export const written = (input: unknown): unknown => {
  if (!Predicate.isObjectOrArray(input)) return input
  if (input instanceof Date) return Number.isNaN(input.getTime()) ? String(input) : input.toISOString()
  if (Redacted.isRedacted(input)) return Redacted.value(input)
  return Array.isArray(input)
    ? input.map(written)
    : Object.fromEntries(
        Object.entries(input).flatMap(([name, field]) => (field === undefined ? [] : [[name, written(field)]]))
      )
}
