import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { type Refusal, refuse } from "./errorResponse.ts"
import { maxBodyDepth } from "./Limits.ts"

const tooDeep: Refusal = {
  code: "BAD_REQUEST",
  message: `body: Expected JSON nested at most ${maxBodyDepth} levels deep`
}

/**
 * Whether a JSON text is nested deeper than allowed. It reads the text once and stops at the first bracket that is too
 * deep, so that nothing else, neither a parser nor a schema, has to descend that far.
 */
export const isTooDeep = (text: string, maxDepth: number = maxBodyDepth): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === "\\") index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === "{" || character === "[") {
      depth++
      if (depth > maxDepth) return true
    } else if (character === "}" || character === "]") depth--
  }
  return false
}

/** Refuses a request whose body is nested too deeply, before it is parsed. A body that cannot be read is not ours. */
export const withShallowBody = <E, R>(
  httpEffect: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method === "GET" || request.method === "HEAD") return yield* httpEffect
    const text = yield* Effect.orDie(request.text)
    return yield* isTooDeep(text) ? refuse(tooDeep) : httpEffect
  })
