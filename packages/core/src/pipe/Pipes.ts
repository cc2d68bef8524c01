import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import { PipeNotFound, ServiceNotFound } from "../error/NotFound.ts"
import type { Pipe } from "./Pipe.ts"
import { PipeAddress, ServiceAddress } from "./ids.ts"

/**
 * The port to pipes. Adapters: `HttpAdapter.layerManagement(...)`, `SqlAdapter.layerSqlite(...)`,
 * `MemoryAdapter.layer(...)`, or your own layer. Contract: section 4.1 (read) and section 1 (delete, whose shape is not
 * shown); `list` is decided after the upstream service.
 *
 * @example
 * ```ts
 * import { Pipe, type PipeAddress, Pipes } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The program requires the port and imports no adapter.
 * export const isRunning = Effect.fn("isRunning")(function* (address: PipeAddress) {
 *   const pipes = yield* Pipes
 *   const pipe = yield* pipes.get(address)
 *   return pipe.state === "Running"
 * })
 *
 * // A minimal layer for a test: one pipe at every address.
 * export const onePipe = (pipe: Pipe) =>
 *   Layer.succeed(Pipes, {
 *     list: () => Effect.succeed([pipe]),
 *     get: () => Effect.succeed(pipe),
 *     delete: () => Effect.void
 *   })
 * ```
 */
export class Pipes extends Context.Service<
  Pipes,
  {
    /**
     * Lists the pipes of a service; the order is not promised. Fails with `ServiceNotFound` if the organization has no
     * such service: an empty list means that the service has no pipes.
     */
    readonly list: (address: ServiceAddress) => Effect.Effect<ReadonlyArray<Pipe>, ServiceNotFound | CallError>
    /** Reads a pipe. Fails with `PipeNotFound` if there is none at the address. */
    readonly get: (address: PipeAddress) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Deletes a pipe. Fails with `PipeNotFound` if there is none at the address. If the adapter retried the call
     * (`attempts` is more than 1), an earlier attempt may have deleted the pipe and its response may be lost.
     */
    readonly delete: (address: PipeAddress) => Effect.Effect<void, PipeNotFound | CallError>
  }
>()("@headgate/core/pipe/Pipes") {}
