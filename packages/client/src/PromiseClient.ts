import type { PortError } from "@headgate/core"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { CallOptions } from "./CallOptions.ts"
import { type CallPromise, callPromise, lazyList, type List, type Received } from "./CallPromise.ts"
import { type Input, validateInput } from "./Input.ts"
import type { Plain } from "./Plain.ts"
import type { Run } from "./Runner.ts"

/** Calls a port: the `use` of its service, or another way to it. */
interface PortCalls<Id, Port> {
  readonly use: <A>(call: (port: Port) => Effect.Effect<A, PortError>) => Effect.Effect<A, PortError, Id>
}

/** Turns calls of a port into methods that return promises. Each validates its request against a schema. */
export const promiseMethods = <Id, Port>(run: Run<Id>, port: PortCalls<Id, Port>) => {
  const start = <Request, A>(
    schema: Schema.Codec<Request, unknown>,
    call: (port: Port, request: Request) => Effect.Effect<A, PortError>
  ) => {
    const validate = validateInput(schema)
    return (request: Input<Request>, options?: CallOptions): Promise<Received<Plain<A>>> =>
      run(
        Effect.flatMap(validate(request), (request) => port.use((port) => call(port, request))),
        options
      )
  }
  return {
    /** A method that returns one value. */
    method: <Request, A>(
      schema: Schema.Codec<Request, unknown>,
      call: (port: Port, request: Request) => Effect.Effect<A, PortError>
    ) => {
      const send = start(schema, call)
      return (request: Input<Request>, options?: CallOptions): CallPromise<Plain<A>> =>
        callPromise(send(request, options))
    },
    /** A method of one resource, with its id and a request. */
    methodOf: <Id, Request, A>(
      idSchema: Schema.Codec<Id, unknown>,
      schema: Schema.Codec<Request, unknown>,
      call: (port: Port, id: Id, request: Request) => Effect.Effect<A, PortError>
    ) => {
      const validateId = validateInput(idSchema)
      const validate = validateInput(schema)
      return (id: Input<Id>, request: Input<Request>, options?: CallOptions): CallPromise<Plain<A>> =>
        callPromise(
          run(
            Effect.flatMap(Effect.all([validateId(id), validate(request)]), ([id, request]) =>
              port.use((port) => call(port, id, request))
            ),
            options
          )
        )
    },
    /** A method that returns a list. */
    list: <Request, Item>(
      schema: Schema.Codec<Request, unknown>,
      call: (port: Port, request: Request) => Effect.Effect<ReadonlyArray<Item>, PortError>
    ) => {
      const send = start(schema, call)
      return (request: Input<Request>, options?: CallOptions): List<Plain<Item>> =>
        lazyList(() => send(request, options))
    },
    /** A method without a request that returns one value. */
    read:
      <A>(call: (port: Port) => Effect.Effect<A, PortError>) =>
      (options?: CallOptions): CallPromise<Plain<A>> =>
        callPromise(run(port.use(call), options)),
    /** A method without a request that returns a list. */
    listAll:
      <Item>(call: (port: Port) => Effect.Effect<ReadonlyArray<Item>, PortError>) =>
      (options?: CallOptions): List<Plain<Item>> =>
        lazyList(() => run(port.use(call), options))
  }
}
