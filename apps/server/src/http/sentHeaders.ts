import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { IncomingHttpHeaders } from "node:http"

/**
 * The headers of a request as Node has read them. `request.headers` is a copy of them all, made for whoever asks first:
 * that is more work than the few answers that every request needs of them.
 */
export const sentHeaders = (request: HttpServerRequest): IncomingHttpHeaders =>
  NodeHttpServerRequest.toIncomingMessage(request).headers
