/** What a call resolves to, with what its response says beside it. */
export interface CallResponse<A> {
  /** What the call itself resolves to. */
  readonly data: A
  /** The HTTP status. The test client has no HTTP: 200. */
  readonly status: number
  /** The headers. The test client has none. */
  readonly headers: Headers
  /** The request id: quote it to the operator of the service. */
  readonly requestId: string | undefined
}

/**
 * The promise of a call.
 *
 * @example
 * ```ts
 * import type { ManagementClient, PipeAddress } from "@headgate/client"
 *
 * export const nameOf = async (headgate: ManagementClient, address: PipeAddress) => {
 *   const { data, headers, requestId } = await headgate.pipes.get(address).withResponse()
 *   console.log(requestId, headers.get("ratelimit-remaining"))
 *   return data.name
 * }
 * ```
 */
export interface CallPromise<A> extends Promise<A> {
  /** Resolves to the result with the status, the headers and the request id of its response. Nothing is sent twice. */
  withResponse(): Promise<CallResponse<A>>
}

/**
 * A list to `await` as a whole or to iterate with `for await`. Each list comes in one response today, but webhooks, of which
 * all pages are read first. The request starts with the first `await` or iteration. Code that uses `for await` does not change
 * if the service ever sends other lists in pages.
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
export interface List<A> extends CallPromise<ReadonlyArray<A>>, AsyncIterable<A, void, undefined> {}

/** A result, and the response that it comes from, if it comes over HTTP. */
export interface Received<A> {
  readonly data: A
  readonly response: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined
}

const responseOf = <A>({ data, response }: Received<A>): CallResponse<A> => ({
  data,
  status: response?.status ?? 200,
  headers: new Headers(response?.headers),
  requestId: response?.headers["x-request-id"]
})

// Starts when it is first awaited, so that what nobody awaits cannot fail unhandled.
class LazyCall<A> extends Promise<A> implements CallPromise<A> {
  readonly #start: () => Promise<Received<A>>
  #started: Promise<Received<A>> | undefined

  // `then` returns a plain promise.
  static override get [Symbol.species]() {
    return Promise
  }

  constructor(start: () => Promise<Received<A>>) {
    super(() => {})
    this.#start = start
  }

  #received(): Promise<Received<A>> {
    this.#started ??= this.#start()
    return this.#started
  }

  // `await`, `catch` and `finally` all call `then`.
  // oxlint-disable-next-line unicorn/no-thenable -- A promise has a `then`.
  override then<B = A, C = never>(
    onFulfilled?: ((value: A) => B | PromiseLike<B>) | null,
    onRejected?: ((reason: unknown) => C | PromiseLike<C>) | null
  ): Promise<B | C> {
    return this.#received()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  withResponse(): Promise<CallResponse<A>> {
    return this.#received().then(responseOf)
  }
}

class LazyList<A> extends LazyCall<ReadonlyArray<A>> implements List<A> {
  async *[Symbol.asyncIterator]() {
    yield* await this
  }
}

/** The promise of a call that runs already. */
export const callPromise = <A>(received: Promise<Received<A>>): CallPromise<A> => new LazyCall(() => received)

/** A list whose request starts when it is first awaited. */
export const lazyList = <A>(start: () => Promise<Received<ReadonlyArray<A>>>): List<A> => new LazyList(start)
