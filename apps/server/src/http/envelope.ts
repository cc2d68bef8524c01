import { type AnyOperation, isNoContent } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentExchange } from "./RequestLog.ts"

/** A success that is JSON text already: an adapter stores it, or the handler has written it. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const json = { contentType: "application/json" }

/** Writes the success of an operation in the envelope of its API. Contract: sections 2.1, 4.3 and 4.4. */
export const envelope = ({ api, success }: AnyOperation) => {
  const encode = Schema.encodeUnknownEffect(Schema.fromJsonString(success))
  const textOf = (value: unknown): Effect.Effect<string> =>
    value instanceof JsonText ? Effect.succeed(value.text) : Effect.orDie(encode(value))
  if (api === "observability") {
    return (value: unknown) =>
      Effect.mapEager(textOf(value), (text) => HttpServerResponse.text(`{"data":${text}}`, json))
  }
  const fields = (requestId: string) => `{"status":200,"requestId":"${requestId}"`
  if (isNoContent(success)) {
    return () => CurrentExchange.useSync(({ requestId }) => HttpServerResponse.text(`${fields(requestId)}}`, json))
  }
  return (value: unknown) =>
    Effect.flatMapEager(textOf(value), (text) =>
      CurrentExchange.useSync(({ requestId }) =>
        HttpServerResponse.text(`${fields(requestId)},"result":${text}}`, json)
      )
    )
}
