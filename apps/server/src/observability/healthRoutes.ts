import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Route } from "../http/Dispatcher.ts"
import type { RequestObserver } from "../http/RequestLog.ts"
import { Shutdown } from "../http/Shutdown.ts"
import { StoreProbe } from "../store/StoreProbe.ts"
import { TakesTestCredentials } from "../store/testCredentials.ts"

// With a query, a trailing slash or doubled slashes too: the path as it was sent, not as it is routed.
const probePath = /^\/+(?:healthz|readyz|metrics)\/*(?:[?;#]|$)/u

/** Whether a request is a health check or a scrape. They come every few seconds, and are neither logged nor counted. */
export const isProbe = ({ method, url }: HttpServerRequest): boolean =>
  probePath.test(url) && (method === "GET" || method === "HEAD")

/** An observer that does not see probes. */
export const exceptProbes =
  (observer: RequestObserver): RequestObserver =>
  (log) =>
    isProbe(log.request) ? Effect.void : observer(log)

const testWarning = "everybody can sign in: the server was started with --test-credentials"

const unavailable = (status: string) => HttpServerResponse.jsonUnsafe({ status }, { status: 503 })

/**
 * Health checks for an orchestrator or a load balancer, without credentials. `/healthz` answers 200 while the process
 * runs. `/readyz` answers 200 while requests should be sent here, and 503 during shutdown, or if the store does not
 * answer or was sealed with another key. Its 200 has a `warning` if the server takes the test credentials.
 */
export const healthRoutes = Effect.gen(function* () {
  const shutdown = yield* Shutdown
  const problemOfStore = yield* StoreProbe
  const warning = (yield* TakesTestCredentials) ? { warning: testWarning } : {}
  const ready = Effect.suspend(() =>
    shutdown.hasBegun()
      ? Effect.succeed(unavailable("ending"))
      : Effect.map(problemOfStore, (problem) =>
          problem === undefined ? HttpServerResponse.jsonUnsafe({ status: "ready", ...warning }) : unavailable(problem)
        )
  )
  const routes: ReadonlyArray<Route> = [
    { method: "GET", path: "/healthz", answer: () => Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })) },
    { method: "GET", path: "/readyz", answer: () => ready }
  ]
  return routes
})
