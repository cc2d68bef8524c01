import type { CallError } from "@headgate/core/error"
import type { PipeNotFound } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"
import { CurrentExchange } from "./CurrentExchange.ts"
import { errorResponse } from "./errorResponse.ts"

/** Answers a management operation: its outcome in the envelope of section 2.1, or its failure as an error. */
export const managementAnswer = <A extends object, R>(outcome: Effect.Effect<A, CallError | PipeNotFound, R>) =>
  Effect.zipWith(outcome, CurrentExchange, (fields, { requestId }) => ({ status: 200, requestId, ...fields })).pipe(
    Effect.catch(errorResponse)
  )

/** Answers an observability operation: its outcome as `data` (sections 4.3, 4.4), or its failure as an error. */
export const observabilityAnswer = <A, R>(outcome: Effect.Effect<A, CallError, R>) =>
  Effect.map(outcome, (data) => ({ data })).pipe(Effect.catch(errorResponse))
