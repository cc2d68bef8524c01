import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import { PipeNotFound } from "../error/NotFound.ts"
import type { Pipe } from "./Pipe.ts"
import { PipeAddress } from "./ids.ts"

/**
 * The port to pipes. Contract: section 4.1 (read) and section 1 (delete, whose shape is not shown). Which adapter
 * answers is said where the program is put together: `HttpAdapter.layerManagement(...)`, `SqlAdapter.layerSqlite(...)`,
 * `MemoryAdapter.layer(...)`, or a layer of yours.
 *
 * @example
 * ```ts
 * import { Pipe, type PipeAddress, Pipes } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The program: it knows the port and no adapter.
 * export const isRunning = Effect.fn("isRunning")(function* (address: PipeAddress) {
 *   const pipes = yield* Pipes
 *   const pipe = yield* pipes.get(address)
 *   return pipe.state === "Running"
 * })
 *
 * // The least that answers it, for a test: one pipe at every address.
 * export const onePipe = (pipe: Pipe) =>
 *   Layer.succeed(Pipes, { get: () => Effect.succeed(pipe), delete: () => Effect.void })
 * ```
 */
export class Pipes extends Context.Service<
  Pipes,
  {
    /** Reads one pipe. Fails with `PipeNotFound` when the address names none. */
    readonly get: (address: PipeAddress) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Deletes one pipe for good. Fails with `PipeNotFound` when the address names none, which may be so because an
     * earlier attempt of the same call deleted it and its answer was lost: then `attempts` is more than 1.
     */
    readonly delete: (address: PipeAddress) => Effect.Effect<void, PipeNotFound | CallError>
  }
>()("@headgate/core/pipe/Pipes") {}
