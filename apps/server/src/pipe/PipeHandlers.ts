import { Pipes } from "@headgate/core/pipe"
import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { managementAnswer } from "../http/envelope.ts"

/** The pipe operations over the `Pipes` port. Contract: section 4.1. */
export const layer = (api: Api) =>
  HttpApiBuilder.group(api, "pipe", (handlers) =>
    Effect.map(Pipes, (pipes) =>
      handlers.handleAll({
        get: ({ params }) => managementAnswer(Effect.map(pipes.get(params), (result) => ({ result }))),
        delete: ({ params }) => managementAnswer(Effect.as(pipes.delete(params), {}))
      })
    )
  )
