import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Watcher } from "../http/Exchange.ts"

// Asked every few seconds by machines: among what callers ask they would only be noise. In whatever spelling the router
// takes for one: with a query, a slash at the end, slashes that are doubled.
const path = /^\/+(?:healthz|readyz|metrics)\/*(?:[?;#]|$)/u

/** Whether a request only asks how the server is. One by another method is none: whoever sends it is told so, and the log. */
export const isProbe = ({ method, url }: HttpServerRequest): boolean =>
  path.test(url) && (method === "GET" || method === "HEAD")

/** Tells a watcher of everything but the questions that only watch the server. */
export const unlessProbe =
  (watcher: Watcher): Watcher =>
  (exchange) =>
    isProbe(exchange.request) ? Effect.void : watcher(exchange)
