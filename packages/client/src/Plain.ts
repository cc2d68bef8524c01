import { Timestamp } from "@headgate/core"
import type { Brand } from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Secret } from "./Secret.ts"

/**
 * A value of the domain as this package shows it: the service's own JSON. Ids are strings, times are the RFC 3339
 * strings that the service wrote, secrets stay a {@link Secret}. Fields that the domain does not name are there at run
 * time and not in the type, so that a misspelt name does not compile.
 */
export type Plain<A> = A extends string & Brand<any>
  ? string
  : A extends Primitive
    ? A
    : A extends DateTime.Utc
      ? string
      : A extends Redacted.Redacted<string>
        ? Secret
        : A extends ReadonlyArray<infer Item>
          ? ReadonlyArray<Plain<Item>>
          : A extends object
            ? { readonly [K in keyof A as IsUnnamed<A, K> extends true ? never : K]: Plain<A[K]> }
            : A

/** Tested before `object`, which an open string (`"a" | (string & {})`) extends as well. */
export type Primitive = string | number | bigint | boolean | symbol | null | undefined

/** Whether a key is the index signature that stands for the fields which a schema does not name. */
export type IsUnnamed<A, K extends keyof A> = string extends K ? (unknown extends A[K] ? true : false) : false

const timestamp = Schema.encodeSync(Timestamp)

const plainly = (value: unknown): unknown => {
  if (!Predicate.isObjectOrArray(value)) return value
  if (DateTime.isDateTime(value) && DateTime.isUtc(value)) return timestamp(value)
  if (Redacted.isRedacted(value)) return value
  return Array.isArray(value)
    ? value.map(plainly)
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainly(field)]))
}

/** Shows a value of the domain plainly. A time is written with the very text it was read from. */
export const plain = <A>(value: A): Plain<A> =>
  // The walk does to each value what the type says of it, but cannot tell the compiler so.
  plainly(value) as Plain<A>
