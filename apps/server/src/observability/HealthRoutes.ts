import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { SqlClient } from "effect/sql/SqlClient"
import type { Route } from "../http/Dispatcher.ts"
import type { Watcher } from "../http/RequestLog.ts"
import { Shutdown } from "../http/Shutdown.ts"

/** How long a store may take to answer before it counts as unreachable. */
const patience = "2 seconds"

/** How long an answer holds: who asks for it cannot keep the store busy. */
const freshness = "1 second"

/** Whether the store answers. One that lives in the process always does. */
export const StoreProbe = Context.Reference<Effect.Effect<boolean>>("headgate-server/health/StoreProbe", {
  defaultValue: () => Effect.succeed(true)
})

/** Asks a database, at most once a second however often it is wanted. */
export const layerSql = Layer.effect(
  StoreProbe,
  Effect.flatMap(SqlClient, (sql) =>
    sql`SELECT id FROM organization LIMIT 1`.pipe(
      Effect.timeout(patience),
      Effect.as(true),
      // Whatever is wrong, the store did not answer; those whose requests fail say why.
      Effect.catchCause(() => Effect.succeed(false)),
      Effect.cachedWithTTL(freshness)
    )
  )
)

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

const status = (status: string) => HttpServerResponse.jsonUnsafe({ status })

const notReady = (status: string) => HttpServerResponse.jsonUnsafe({ status }, { status: 503 })

/**
 * The probes of an orchestrator or a load balancer, without credentials: `/healthz` answers while the process can
 * answer at all, `/readyz` while requests should be sent to it: its store answers, and it is not shutting down.
 */
export const healthRoutes = Effect.gen(function* () {
  const shutdown = yield* Shutdown
  const storeAnswers = yield* StoreProbe
  const ready = Effect.suspend(() =>
    shutdown.hasBegun()
      ? Effect.succeed(notReady("ending"))
      : Effect.map(storeAnswers, (answers) => (answers ? status("ready") : notReady("the store does not answer")))
  )
  const routes: ReadonlyArray<Route> = [
    { method: "GET", path: "/healthz", answer: () => Effect.succeed(status("ok")) },
    { method: "GET", path: "/readyz", answer: () => ready }
  ]
  return routes
})
