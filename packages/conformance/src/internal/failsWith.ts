import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { chai } from "vitest"

/** What every error of a port has. */
interface TaggedFailure {
  readonly _tag: string
  readonly message: string
}

/**
 * Holds a call to a failure with one of these tags and answers the error. What the call answered instead stays out of
 * the report: it may be long, and it may hold a secret.
 */
export const failsWith = <A, E extends TaggedFailure, R, const Tag extends E["_tag"]>(
  call: Effect.Effect<A, E, R>,
  ...tags: ReadonlyArray<Tag>
): Effect.Effect<E & { readonly _tag: Tag }, never, R> => {
  // Made here, where the law calls: by the time the outcome is known, the stack is the fiber's and names no law.
  const broken = new chai.AssertionError("", undefined, failsWith)
  const report = (instead: string) =>
    Effect.suspend(() => {
      broken.message = `expected the call to fail with ${tags.join(" or ")}, but it ${instead}`
      return Effect.die(broken)
    })
  const isExpected = (error: E): error is E & { readonly _tag: Tag } =>
    tags.some((tag) => Predicate.isTagged(error, tag))
  return Effect.matchEffect(call, {
    onFailure: (error) =>
      isExpected(error) ? Effect.succeed(error) : report(`failed with ${error._tag}: ${error.message}`),
    onSuccess: () => report("succeeded")
  })
}
