import { type OperationName, sampleCallOf } from "@headgate/samples"
import * as Effect from "effect/Effect"
import { CallOptions } from "../../src/index.ts"
import { scripted, type Step } from "./ScriptedClient.ts"
import { layerPorts } from "./ports.ts"
import { baseUrl, drawing } from "./timeline.ts"

/** Starts an operation that will fail, and returns the requests that the service sees. */
export const start = Effect.fnUntraced(function* (
  name: OperationName,
  call: CallOptions,
  ...steps: ReadonlyArray<Step>
) {
  const service = scripted(...steps)
  const fiber = yield* sampleCallOf(name).call.pipe(
    Effect.provideService(CallOptions, call),
    Effect.provide(layerPorts({ baseUrl })),
    Effect.provide(service.layer),
    drawing(0.5),
    Effect.flip,
    Effect.forkChild
  )
  return { fiber, seen: service.seen }
})
