import * as Effect from "effect/Effect"
import type { Watcher } from "../http/Exchange.ts"

// Asked every few seconds by machines: among what callers ask they would only be noise.
const paths = new Set(["/healthz", "/readyz", "/metrics"])

/** Tells a watcher of everything but the questions that only watch the server. */
export const unlessProbe =
  (watcher: Watcher): Watcher =>
  (exchange) =>
    paths.has(exchange.request.url) ? Effect.void : watcher(exchange)
