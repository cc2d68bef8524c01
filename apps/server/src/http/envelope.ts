import type { Dashboard } from "@headgate/core/dashboard"
import type { CallError } from "@headgate/core/error"
import type { PipeNotFound } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentExchange } from "./CurrentExchange.ts"
import { errorResponse } from "./errorResponse.ts"

/** Answers a management operation: its outcome in the envelope of section 2.1, or its failure as an error. */
export const managementAnswer = <A extends object, R>(outcome: Effect.Effect<A, CallError | PipeNotFound, R>) =>
  Effect.zipWith(outcome, CurrentExchange, (fields, { requestId }) => ({ status: 200, requestId, ...fields })).pipe(
    Effect.catch(errorResponse)
  )

/**
 * Answers a management operation with a document that is JSON text already: the same envelope, written around it. What
 * the contract's schema would check was checked when the document was stored.
 */
export const managementDocument = <R>(text: Effect.Effect<string, CallError | PipeNotFound, R>) =>
  Effect.zipWith(text, CurrentExchange, (result, { requestId }) =>
    HttpServerResponse.text(`{"status":200,"requestId":"${requestId}","result":${result}}`, {
      contentType: "application/json"
    })
  ).pipe(Effect.catch(errorResponse))

/**
 * Answers an observability operation: its outcome as `data` (sections 4.3, 4.4), or its failure as an error. Dashboards
 * are on the wire what they are inside (a test holds it), so that they are written as they are: a schema that looks at
 * every tile again costs more than all else of the answer.
 */
export const observabilityAnswer = <R>(outcome: Effect.Effect<Dashboard | ReadonlyArray<Dashboard>, CallError, R>) =>
  Effect.map(outcome, (data) => HttpServerResponse.jsonUnsafe({ data })).pipe(Effect.catch(errorResponse))
