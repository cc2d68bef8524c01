import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { PipeAddress } from "./PipeAddress.ts"
import type { PipeNotFound } from "./PipeNotFound.ts"

/**
 * Pipes as JSON text, for whoever hands them on and does not look into them: a server that answers with a document
 * need not read it and write it again. An adapter that keeps documents may have this port beside `Pipes`, which stays
 * the truth: both always tell the same. `docs/adr/0013-documents-as-text.md` tells what it saves.
 *
 * @example
 * ```ts
 * import { Pipe, type PipeAddress, PipeDocuments, Pipes } from "@headgate/core/pipe"
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 * import * as Schema from "effect/Schema"
 *
 * const write = Schema.encodeEffect(Schema.fromJsonString(Pipe))
 *
 * // A pipe as text, over any adapter: as it is kept where there is the port, else read and written.
 * export const textOf = Effect.fn("textOf")(function* (address: PipeAddress) {
 *   const documents = yield* Effect.serviceOption(PipeDocuments)
 *   if (Option.isSome(documents)) return yield* documents.value.get(address)
 *   const pipes = yield* Pipes
 *   return yield* Effect.orDie(write(yield* pipes.get(address)))
 * })
 * ```
 */
export class PipeDocuments extends Context.Service<
  PipeDocuments,
  {
    /**
     * One pipe as JSON text, under the neutral names: what `Schema.fromJsonString(Pipe)` writes of what `Pipes.get`
     * answers. Fails as `Pipes.get` does.
     */
    readonly get: (address: PipeAddress) => Effect.Effect<string, PipeNotFound | CallError>
  }
>()("@headgate/core/pipe/PipeDocuments") {}
