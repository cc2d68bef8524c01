import type { PortError } from "@headgate/core"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { CallOptions } from "./CallOptions.ts"
import { type Input, validateInput } from "./Input.ts"
import type { Plain } from "./Plain.ts"
import type { Run } from "./Runner.ts"

/**
 * A list to `await` as a whole or to iterate with `for await`. Each list comes in one response today, and the request
 * starts with the first `await` or iteration. Code that uses `for await` does not change if the service ever sends lists
 * in pages.
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

// Starts its request when it is first awaited, so that a list that nobody awaits cannot fail unhandled.
class LazyList<A> extends Promise<ReadonlyArray<A>> implements List<A> {
  readonly #start: () => Promise<ReadonlyArray<A>>
  #started: Promise<ReadonlyArray<A>> | undefined

  // `then` returns a plain promise.
  static override get [Symbol.species]() {
    return Promise
  }

  constructor(start: () => Promise<ReadonlyArray<A>>) {
    super(() => {})
    this.#start = start
  }

  // `await`, `catch` and `finally` all call `then`.
  // oxlint-disable-next-line unicorn/no-thenable -- A promise has a `then`.
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

/** Calls a port: the `use` of its service, or another way to it. */
interface PortCalls<Id, Port> {
  readonly use: <A>(call: (port: Port) => Effect.Effect<A, PortError>) => Effect.Effect<A, PortError, Id>
}

/** Turns calls of a port into methods that return promises. Each validates its request against a schema. */
export const promiseMethods = <Id, Port>(run: Run<Id>, port: PortCalls<Id, Port>) => {
  const method = <Request, A>(
    schema: Schema.Codec<Request, unknown>,
    call: (port: Port, request: Request) => Effect.Effect<A, PortError>
  ) => {
    const validate = validateInput(schema)
    return (request: Input<Request>, options?: CallOptions): Promise<Plain<A>> =>
      run(
        Effect.flatMap(validate(request), (request) => port.use((port) => call(port, request))),
        options
      )
  }
  return {
    /** A method that returns one value. */
    method,
    /** A method of one resource, with its id and a request. */
    methodOf: <Id, Request, A>(
      idSchema: Schema.Codec<Id, unknown>,
      schema: Schema.Codec<Request, unknown>,
      call: (port: Port, id: Id, request: Request) => Effect.Effect<A, PortError>
    ) => {
      const validateId = validateInput(idSchema)
      const validate = validateInput(schema)
      return (id: Input<Id>, request: Input<Request>, options?: CallOptions): Promise<Plain<A>> =>
        run(
          Effect.flatMap(Effect.all([validateId(id), validate(request)]), ([id, request]) =>
            port.use((port) => call(port, id, request))
          ),
          options
        )
    },
    /** A method that returns a list. */
    list: <Request, Item>(
      schema: Schema.Codec<Request, unknown>,
      call: (port: Port, request: Request) => Effect.Effect<ReadonlyArray<Item>, PortError>
    ) => {
      const start = method(schema, call)
      return (request: Input<Request>, options?: CallOptions): List<Plain<Item>> =>
        new LazyList(() => start(request, options))
    },
    /** A method without a request that returns one value. */
    read:
      <A>(call: (port: Port) => Effect.Effect<A, PortError>) =>
      (options?: CallOptions): Promise<Plain<A>> =>
        run(port.use(call), options),
    /** A method without a request that returns a list. */
    listAll:
      <Item>(call: (port: Port) => Effect.Effect<ReadonlyArray<Item>, PortError>) =>
      (options?: CallOptions): List<Plain<Item>> =>
        new LazyList(() => run(port.use(call), options))
  }
}
