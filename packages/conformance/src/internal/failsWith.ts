import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { chai } from "vitest"

interface TaggedFailure {
  readonly _tag: string
  readonly message: string
}

/**
 * Asserts that a call fails with one of these tags, and returns the error. The report does not show what the call
 * returned instead: it may be long, and it may hold a secret.
 */
export const failsWith = <A, E extends TaggedFailure, R, const Tag extends E["_tag"]>(
  call: Effect.Effect<A, E, R>,
  ...tags: ReadonlyArray<Tag>
): Effect.Effect<E & { readonly _tag: Tag }, never, R> => {
  // Made here, because this stack names the law. When the outcome is known, the stack is that of the fiber.
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
