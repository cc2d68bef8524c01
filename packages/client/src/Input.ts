import { type FieldIssue, fieldIssues, type InvalidRequest } from "@headgate/core"
import { formatPath, invalidRequest, jsonIssues } from "@headgate/core/adapter"
import type { Brand } from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { IsUnnamed, Primitive } from "./Plain.ts"
import type { Secret } from "./Secret.ts"
import type { Unlisted } from "./Unlisted.ts"

/**
 * A value of the domain as callers write it: like `Plain`, but a time may also be a `Date`, a secret a string, and an
 * optional field `undefined`. A known value may also be {@link Unlisted}. The published types are narrower: see build/DataTypes.ts.
 */
export type Input<A> = A extends string & Brand<any>
  ? string
  : A extends Primitive
    ? A | (A extends string ? (string extends A ? never : Unlisted) : never)
    : A extends DateTime.Utc
      ? Date | string
      : A extends Redacted.Redacted<infer Hidden>
        ? (Hidden extends string ? Secret : never) | Input<Hidden>
        : A extends ReadonlyArray<infer Item>
          ? ReadonlyArray<Input<Item>>
          : A extends object
            ? {
                readonly [K in keyof A as IsUnnamed<A, K> extends true ? never : K]:
                  | Input<A[K]>
                  | (string extends K ? never : {} extends Pick<A, K> ? undefined : never)
              }
            : A

// A Map, a URL or an error has no fields of its own: it would become an empty object.
const hasFields = (value: object): boolean => Object.prototype.toString.call(value) === "[object Object]"

/**
 * Converts what a caller wrote to JSON for a schema to check: a `Date` to its text, a secret to its value, without fields
 * that are `undefined`. What JSON cannot hold, such as an invalid `Date`, stays as it is, and no schema accepts it.
 */
export const toJson = (input: unknown): unknown => {
  if (!Predicate.isObjectOrArray(input)) return input
  if (input instanceof Date) return Number.isNaN(input.getTime()) ? input : input.toISOString()
  if (Redacted.isRedacted(input)) return Redacted.value(input)
  if (Array.isArray(input)) return input.map(toJson)
  return hasFields(input)
    ? Object.fromEntries(
        Object.entries(input).flatMap(([name, field]) => (field === undefined ? [] : [[name, toJson(field)]]))
      )
    : input
}

// Deeper than any document of the contract, and no risk for the stack.
const maxDepth = 500

// A part that stands in several places is written as often: twenty levels of such parts make a million values.
const maxValues = 1_000_000
const tooManyValues = "Expected at most 1,000,000 values, each shared part counted wherever it stands"

/** What a part of an input becomes as JSON. */
interface Size {
  readonly values: number
  readonly levels: number
}

/** The size of an object whose parts have theirs. */
const sizeOf = (input: object, sizes: ReadonlyMap<object, Size>): Size => {
  let values = 1
  let levels = 0
  for (const field of Object.values(input)) {
    const size = Predicate.isObjectOrArray(field) ? sizes.get(field) : undefined
    values += size?.values ?? 1
    levels = Math.max(levels, size?.levels ?? 0)
  }
  return { values, levels: levels + 1 }
}

/**
 * The path to a value that contains itself, or that is nested too deep: neither can be written as JSON. Each object is
 * visited once, and `sizes` gets its size.
 */
const circularPath = (
  input: unknown,
  sizes: Map<object, Size>,
  outer: Set<object> = new Set()
): ReadonlyArray<string | number> | undefined => {
  if (!Predicate.isObjectOrArray(input) || Redacted.isRedacted(input)) return undefined
  const known = sizes.get(input)
  if (known !== undefined) return outer.size + known.levels > maxDepth ? [] : undefined
  if (outer.has(input) || outer.size === maxDepth) return []
  outer.add(input)
  for (const [name, field] of Object.entries(input)) {
    const path = circularPath(field, sizes, outer)
    if (path !== undefined) return [Array.isArray(input) ? Number(name) : name, ...path]
  }
  outer.delete(input)
  sizes.set(input, sizeOf(input, sizes))
  return undefined
}

/** The error of a call, or of a client, whose input is wrong. */
export const invalidInput = (issues: ReadonlyArray<FieldIssue>): InvalidRequest =>
  invalidRequest(issues, { attempts: 0 })

// How much is shown of the path to a value that contains itself.
const maxPathLength = 8

/** Decodes what a caller wrote. Fails with `InvalidRequest`, which names every wrong field. */
export const validateInput = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (input: unknown): Effect.Effect<A, InvalidRequest> =>
    Effect.suspend(() => {
      const sizes = new Map<object, Size>()
      const circular = circularPath(input, sizes)
      if (circular !== undefined) {
        const path = formatPath(circular.slice(0, maxPathLength))
        return Effect.fail(
          invalidInput([{ path, message: "Expected JSON: this contains itself, or is nested too deep" }])
        )
      }
      const size = Predicate.isObjectOrArray(input) ? sizes.get(input) : undefined
      if (size !== undefined && size.values > maxValues) {
        return Effect.fail(invalidInput([{ path: "", message: tooManyValues }]))
      }
      const json = toJson(input)
      return Effect.matchEffect(decode(json), {
        onFailure: (error) => Effect.fail(invalidInput(fieldIssues(error))),
        onSuccess: (value) => {
          // A schema accepts anything in a field that it does not name.
          const issues = jsonIssues(json)
          return issues.length === 0 ? Effect.succeed(value) : Effect.fail(invalidInput(issues))
        }
      })
    })
}
