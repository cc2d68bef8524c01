import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { PipeAddress } from "./PipeAddress.ts"
import type { PipeNotFound } from "./PipeNotFound.ts"

/**
 * Pipes as JSON text, for whoever hands them on and does not look into them: a server that answers with a document
 * need not read it and write it again. An adapter that keeps documents may have this port beside `Pipes`, which stays
 * the truth: both always tell the same. `docs/adr/0013-answered-straight-away.md` tells what it saves.
 *
 * @example
 * ```ts
 * import { type PipeAddress, PipeDocuments } from "@headgate/core/pipe"
 * import * as Effect from "effect/Effect"
 *
 * export const envelope = Effect.fn("envelope")(function* (address: PipeAddress) {
 *   const documents = yield* PipeDocuments
 *   return `{"status":200,"result":${yield* documents.get(address)}}`
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
