import { type InvalidRequest, Pipes } from "@headgate/core"
import { refusedFields } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Metrics } from "./Metrics.ts"

/**
 * The pipes of a store, which also count and log each unknown field for which they refuse a request, without its value: a client may
 * be newer than this server.
 */
export const countRefusedFields = Layer.effect(
  Pipes,
  Effect.zipWith(Pipes, Metrics, (pipes, { countRefusedField }) => {
    const report = (error: InvalidRequest) =>
      Effect.forEach(
        refusedFields(error),
        (field) =>
          Effect.andThen(
            countRefusedField(field),
            // As JSON: a caller chooses the name.
            Effect.logWarning(
              `refused the unknown field ${JSON.stringify(field)}: it is misspelt, or the client is newer than this server`
            )
          ),
        { discard: true }
      )
    return Pipes.of({
      ...pipes,
      create: (address, request) => Effect.tapErrorTag(pipes.create(address, request), "InvalidRequest", report),
      update: (address, request) => Effect.tapErrorTag(pipes.update(address, request), "InvalidRequest", report)
    })
  })
)
