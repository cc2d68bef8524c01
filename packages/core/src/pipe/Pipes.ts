import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { Pipe } from "./Pipe.ts"
import type { PipeAddress } from "./PipeAddress.ts"
import type { PipeNotFound } from "./PipeNotFound.ts"

/**
 * The port to pipes. Contract: section 4.1 (read) and section 1 (delete, whose shape is not shown).
 *
 * @example
 * ```ts
 * const state = Effect.gen(function* () {
 *   const pipes = yield* Pipes
 *   const pipe = yield* pipes.get({ organizationId, serviceId, pipeId })
 *   return pipe.state
 * })
 * ```
 */
export class Pipes extends Context.Service<
  Pipes,
  {
    /** Reads one pipe. Fails with `PipeNotFound` when the address names none. */
    readonly get: (address: PipeAddress) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /** Deletes one pipe for good. Fails with `PipeNotFound` when the address names none. */
    readonly delete: (address: PipeAddress) => Effect.Effect<void, PipeNotFound | CallError>
  }
>()("@headgate/core/pipe/Pipes") {}
