import { PipeAddress as CorePipeAddress, Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import type { CallOptions } from "../CallOptions.ts"
import type { Run } from "../Runner.ts"
import { validateInput } from "../validateInput.ts"
import type { Pipe, PipeAddress } from "./Pipe.ts"

/** The pipes of the management API. */
export interface PipesClient {
  /** Reads one pipe. Rejects with `PipeNotFoundError` when the address names none. */
  get(address: PipeAddress, options?: CallOptions): Promise<Pipe>
  /** Deletes one pipe for good. Rejects with `PipeNotFoundError` when the address names none. */
  delete(address: PipeAddress, options?: CallOptions): Promise<void>
}

const checkAddress = validateInput(CorePipeAddress)

/** The pipes, over whatever adapter runs the calls. */
export const pipesClient = (run: Run<Pipes>): PipesClient => ({
  get: (address, options) =>
    run(
      Effect.flatMap(checkAddress(address), (address) => Pipes.use((pipes) => pipes.get(address))),
      options
    ),
  delete: (address, options) =>
    run(
      Effect.flatMap(checkAddress(address), (address) => Pipes.use((pipes) => pipes.delete(address))),
      options
    )
})
