import { Timestamp, versionOf as versionOfResource } from "@headgate/core"
import { withVersion } from "@headgate/core/adapter"
import type { Brand } from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Secret } from "./Secret.ts"

/** Tested before `object`, which an open string (`"a" | (string & {})`) extends as well. */
export type Primitive = string | number | bigint | boolean | symbol | null | undefined

/**
 * A value of the domain as this package returns it: the JSON of the service. Ids are strings, times are the RFC 3339
 * strings that the service sent, durations are milliseconds, secrets stay a {@link Secret}. Fields that the domain does
 * not name are present at run time and absent from the type, so that a misspelt name does not compile.
 */
export type Plain<A> = A extends string & Brand<any>
  ? string
  : A extends Primitive
    ? A
    : A extends DateTime.Utc
      ? string
      : A extends Duration.Duration
        ? number
        : A extends Redacted.Redacted<string>
          ? Secret
          : A extends ReadonlyArray<infer Item>
            ? ReadonlyArray<Plain<Item>>
            : A extends object
              ? { readonly [K in keyof A as IsUnnamed<A, K> extends true ? never : K]: Plain<A[K]> }
              : A

/** Whether a key is the index signature of the fields that a schema does not name. */
export type IsUnnamed<A, K extends keyof A> = string extends K ? (unknown extends A[K] ? true : false) : false

const timestamp = Schema.encodeSync(Timestamp)

const toPlain = (value: unknown): unknown => {
  if (!Predicate.isObjectOrArray(value) || Redacted.isRedacted(value)) return value
  if (DateTime.isDateTime(value) && DateTime.isUtc(value)) return timestamp(value)
  if (Duration.isDuration(value)) return Duration.toMillis(value)
  return Array.isArray(value)
    ? value.map(toPlain)
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]))
}

/**
 * Converts a value of the domain to plain data, with its version. A time becomes the very text that it was decoded from.
 */
export const plain = <A>(value: A): Plain<A> => {
  const converted = toPlain(value)
  const version = Predicate.isObject(value) ? versionOf(value) : undefined
  if (version !== undefined && Predicate.isObject(converted)) withVersion(converted, version)
  // `toPlain` converts each value as the type says, which the compiler cannot follow.
  return converted as Plain<A>
}

/**
 * The version of a resource that a call resolved to: how often callers have changed it, 1 after its creation. `undefined`
 * for a copy of it, and if the service tells none. For the option `ifMatch`.
 *
 * @example
 * ```ts
 * import { type ManagementClient, type PipeAddress, versionOf } from "@headgate/client"
 *
 * // Deletes a pipe unless somebody has changed it since it was read.
 * export const deleteStopped = async (headgate: ManagementClient, address: PipeAddress) => {
 *   const pipe = await headgate.pipes.get(address)
 *   if (pipe.state === "Stopped") await headgate.pipes.delete(address, { ifMatch: versionOf(pipe) })
 * }
 * ```
 */
export const versionOf = (resource: object): number | undefined => versionOfResource(resource)
