/**
 * A list that is awaited as a whole or gone through with `for await`. Today each list comes in one answer, so that
 * both wait for the same request; code that uses `for await` stays as it is if the service ever sends lists in pages.
 *
 * @example
 * ```ts
 * import type { ObservabilityClient } from "@headgate/client"
 *
 * export const printNames = async (headgate: ObservabilityClient) => {
 *   for await (const dashboard of headgate.dashboards.list()) console.log(dashboard.name)
 * }
 * ```
 */
export interface List<A> extends Promise<ReadonlyArray<A>>, AsyncIterable<A, void, undefined> {}

/** Makes the promise of a list one that can be gone through. */
export const asList = <A>(promise: Promise<ReadonlyArray<A>>): List<A> =>
  Object.assign(promise, {
    async *[Symbol.asyncIterator]() {
      yield* await promise
    }
  })
