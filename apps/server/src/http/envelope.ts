import type { CallError, PipeNotFound } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { errorResponse } from "./HttpProblem.ts"
import { CurrentExchange } from "./RequestLog.ts"

/** Answers a management operation: its outcome in the envelope of section 2.1, or its failure as an error. */
export const managementAnswer = <A extends object, R>(outcome: Effect.Effect<A, CallError | PipeNotFound, R>) =>
  Effect.zipWith(outcome, CurrentExchange, (fields, { requestId }) => ({ status: 200, requestId, ...fields })).pipe(
    Effect.catch(errorResponse)
  )

const json = { contentType: "application/json" }

/**
 * Answers a management operation with a document that is JSON text already: the same envelope, written around it. What
 * the contract's schema would check was checked when the document was stored.
 */
export const managementDocument = <R>(text: Effect.Effect<string, CallError | PipeNotFound, R>) =>
  Effect.matchEffect(text, {
    onFailure: errorResponse,
    onSuccess: (result) =>
      CurrentExchange.useSync(({ requestId }) =>
        HttpServerResponse.text(`{"status":200,"requestId":"${requestId}","result":${result}}`, json)
      )
  })

/**
 * Answers an observability operation with JSON text: as `data` (sections 4.3, 4.4), or its failure as an error. What the
 * contract's schema would check of it was checked when it was created.
 */
export const observabilityDocument = <R>(text: Effect.Effect<string, CallError, R>) =>
  Effect.matchEffect(text, {
    onFailure: errorResponse,
    onSuccess: (data) => Effect.succeed(HttpServerResponse.text(`{"data":${data}}`, json))
  })
