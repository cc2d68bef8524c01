import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { isTooDeep, tooDeep } from "./BodyDepth.ts"
import { lastBodyText } from "./bodyText.ts"
import { refuse } from "./errorResponse.ts"
import type { Handled } from "./Handled.ts"

const noJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

/** Whether a request says that its body is JSON, in the one word that nearly every client uses. */
export const saysJson = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["content-type"] === "application/json"

const parsed = (text: string): Effect.Effect<unknown, Schema.SchemaError> =>
  text === "" ? Effect.succeed(undefined) : Effect.try({ try: (): unknown => JSON.parse(text), catch: () => noJson })

/**
 * Reads the JSON body of a request by a schema, and answers with what is made of it. What is wrong with a body arrives
 * at the edge as it does from the framework, which answers it.
 */
export const withPayload = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (request: HttpServerRequest.HttpServerRequest, use: (payload: A) => Handled): Handled =>
    Effect.flatMap(Effect.orDie(lastBodyText(request)), (text): Handled => {
      if (isTooDeep(text)) return refuse(tooDeep)
      const payload = HttpApiSchemaError.wrap("Payload", Effect.flatMap(parsed(text), decode))
      return Effect.flatMap(Effect.orDie(payload), use)
    })
}
