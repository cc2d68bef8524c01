import type { PipeAddress } from "@headgate/core"
import * as Effect from "effect/Effect"
import { nouns, serviceAddress } from "../address/nouns.ts"
import { nameArgument, resolveName } from "../address/resolveName.ts"

/** The `<pipe-id>` argument of every command on one pipe. */
export const pipeIdArgument = nameArgument("pipe-id", "Id or name of the pipe")

/** The address of a pipe of the service, by its id or name. */
export const pipeAddress = Effect.fnUntraced(function* (idOrName: string) {
  const inService = yield* serviceAddress
  const address: PipeAddress = {
    ...inService,
    pipeId: yield* resolveName(nouns.pipe(inService), idOrName, "<pipe-id>")
  }
  return address
})
