import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Watcher } from "../http/Exchange.ts"

// Asked every few seconds by machines: among what callers ask they would only be noise.
const paths = new Set(["/healthz", "/readyz", "/metrics"])

/** Whether a request only asks how the server is. */
export const isProbe = ({ url }: HttpServerRequest): boolean => paths.has(url)

/** Tells a watcher of everything but the questions that only watch the server. */
export const unlessProbe =
  (watcher: Watcher): Watcher =>
  (exchange) =>
    isProbe(exchange.request) ? Effect.void : watcher(exchange)
