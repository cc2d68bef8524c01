import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import { PipeNotFound } from "../error/NotFound.ts"
import type { Pipe } from "./Pipe.ts"
import { PipeAddress } from "./ids.ts"

/**
 * The port to pipes. Adapters: `HttpAdapter.layerManagement(...)`, `SqlAdapter.layerSqlite(...)`,
 * `MemoryAdapter.layer(...)`, or your own layer. Contract: section 4.1 (read) and section 1 (delete, whose shape is not
 * shown).
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
 *   Layer.succeed(Pipes, { get: () => Effect.succeed(pipe), delete: () => Effect.void })
 * ```
 */
export class Pipes extends Context.Service<
  Pipes,
  {
    /** Reads a pipe. Fails with `PipeNotFound` if there is none at the address. */
    readonly get: (address: PipeAddress) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Deletes a pipe. Fails with `PipeNotFound` if there is none at the address. If the adapter retried the call
     * (`attempts` is more than 1), an earlier attempt may have deleted the pipe and its response may be lost.
     */
    readonly delete: (address: PipeAddress) => Effect.Effect<void, PipeNotFound | CallError>
  }
>()("@headgate/core/pipe/Pipes") {}
