import * as Effect from "effect/Effect"
import { type Refusal, refuse } from "./HttpProblem.ts"
import type { Handled } from "./RequestLog.ts"

// The router answers 415 itself, as text.
const unsupportedMediaType: Refusal = {
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "content-type: Expected application/json"
}

/** Answers 415 in the shape of the API that was called, where an operation takes no body of that type. */
export const shapedMediaType = (httpEffect: Handled): Handled =>
  Effect.flatMap(httpEffect, (answer) =>
    answer.status === 415 ? refuse(unsupportedMediaType) : Effect.succeed(answer)
  )
