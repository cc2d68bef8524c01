import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { maxBodyBytes } from "./Limits.ts"

const bound = ByteSize.fromInputUnsafe(maxBodyBytes)

/** The body of a request as text, for whoever reads it before its route does, with the bound that routes have. */
export const bodyText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, bound)
