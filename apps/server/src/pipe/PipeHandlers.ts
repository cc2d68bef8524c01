import { Pipes } from "@headgate/core"
import type { Api, Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { managementAnswer, managementDocument } from "../http/envelope.ts"
import { pipeTexts } from "./pipeTexts.ts"

/** The pipe operations over the `Pipes` port, and `PipeDocuments` where the store has it. Contract: section 4.1. */
export const layer = (api: Api, dialect: Dialect) =>
  HttpApiBuilder.group(api, "pipe", (handlers) =>
    Effect.gen(function* () {
      const pipes = yield* Pipes
      const textOf = yield* pipeTexts(dialect)
      return handlers.handleAll({
        get: ({ params }) => managementDocument(textOf(params)),
        delete: ({ params }) => managementAnswer(Effect.as(pipes.delete(params), {}))
      })
    })
  )
