/**
 * A list that is awaited as a whole or gone through with `for await`. Today each list comes in one answer, so that
 * both wait for the same request, which starts when it is first waited for; code that uses `for await` stays as it is if the service ever sends lists in pages.
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

class LazyList<A> extends Promise<ReadonlyArray<A>> implements List<A> {
  readonly #start: () => Promise<ReadonlyArray<A>>
  #started: Promise<ReadonlyArray<A>> | undefined

  // What `then` gives is a promise like any other.
  static override get [Symbol.species]() {
    return Promise
  }

  constructor(start: () => Promise<ReadonlyArray<A>>) {
    super(() => {})
    this.#start = start
  }

  // `await`, `catch` and `finally` all come here.
  // oxlint-disable-next-line unicorn/no-thenable -- A promise is to be awaited.
  override then<B = ReadonlyArray<A>, C = never>(
    onFulfilled?: ((items: ReadonlyArray<A>) => B | PromiseLike<B>) | null,
    onRejected?: ((reason: unknown) => C | PromiseLike<C>) | null
  ): Promise<B | C> {
    this.#started ??= this.#start()
    return this.#started.then(onFulfilled, onRejected)
  }

  async *[Symbol.asyncIterator]() {
    yield* await this
  }
}

/** A list whose request starts when somebody first waits for it: there is no failure that nobody waits for. */
export const asList = <A>(start: () => Promise<ReadonlyArray<A>>): List<A> => new LazyList(start)
