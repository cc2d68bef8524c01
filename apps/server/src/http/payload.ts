import { decodeRequest } from "@headgate/core/error"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { isTooDeep, tooDeep } from "./BodyDepth.ts"
import { lastBodyText } from "./bodyText.ts"
import { refuse } from "./errorResponse.ts"
import type { Handled } from "./Handled.ts"
import { sentHeaders } from "./sentHeaders.ts"

const noJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

/** Whether a request says that its body is JSON, in the one word that nearly every client uses. */
export const saysJson = (request: HttpServerRequest.HttpServerRequest): boolean =>
  sentHeaders(request)["content-type"] === "application/json"

// `undefined` for no body at all, which no schema of a body takes.
const parsed = (text: string): Effect.Effect<unknown, Schema.SchemaError> =>
  Effect.fromResult(
    Result.try({ try: (): unknown => (text === "" ? undefined : JSON.parse(text)), catch: () => noJson })
  )

/**
 * Reads the JSON body of a request by a schema, and answers with what is made of it. What is wrong with a body arrives
 * at the edge as it does from the framework, which answers it.
 */
export const withPayload = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = decodeRequest(schema)
  return (request: HttpServerRequest.HttpServerRequest, use: (payload: A) => Handled): Handled =>
    Effect.flatMap(lastBodyText(request), (text): Handled => {
      if (isTooDeep(text)) return refuse(tooDeep)
      const payload = HttpApiSchemaError.wrap("Payload", Effect.flatMapEager(parsed(text), decode))
      return Effect.flatMapEager(Effect.catchEager(payload, Effect.die), use)
    })
}
