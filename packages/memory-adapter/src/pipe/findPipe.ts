import type { Pipe, PipeAddress, PipeNotFound } from "@headgate/core"
import { pipeNotFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { MemoryStore } from "../MemoryStore.ts"

/** The pipe at an address. Fails with `PipeNotFound`. */
export const findPipe = (
  { pipes }: Pick<MemoryStore["Service"], "pipes">,
  address: PipeAddress
): Effect.Effect<Pipe, PipeNotFound> =>
  Effect.suspend(() => {
    const stored = pipes.get(address.pipeId)
    const isThere = stored?.organizationId === address.organizationId && stored.pipe.serviceId === address.serviceId
    return isThere ? Effect.succeed(stored.pipe) : Effect.fail(pipeNotFound(address))
  })
