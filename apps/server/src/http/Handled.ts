import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { unhandled } from "effect/Types"

/** A request on its way to an answer, as a middleware around all routes sees it. */
export type Handled = Effect.Effect<HttpServerResponse, unhandled, HttpServerRequest>
