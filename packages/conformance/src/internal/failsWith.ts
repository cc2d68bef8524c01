import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** What every error of a port has. */
interface TaggedFailure {
  readonly _tag: string
  readonly message: string
}

const broken = (tags: ReadonlyArray<string>, instead: string) =>
  Effect.sync(() => assert.fail(`expected the call to fail with ${tags.join(" or ")}, but it ${instead}`))

/**
 * Holds a call to a failure with one of these tags and answers the error. What the call answered instead stays out of
 * the report: it may be long, and it may hold a secret.
 */
export const failsWith = <A, E extends TaggedFailure, R, const Tag extends E["_tag"]>(
  call: Effect.Effect<A, E, R>,
  ...tags: ReadonlyArray<Tag>
): Effect.Effect<E & { readonly _tag: Tag }, never, R> => {
  const isExpected = (error: E): error is E & { readonly _tag: Tag } =>
    tags.some((tag) => Predicate.isTagged(error, tag))
  return Effect.matchEffect(call, {
    onFailure: (error) =>
      isExpected(error) ? Effect.succeed(error) : broken(tags, `failed with ${error._tag}: ${error.message}`),
    onSuccess: () => broken(tags, "succeeded")
  })
}
