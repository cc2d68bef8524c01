import { type Dialect, operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import type * as IpNetwork from "effect/net/IpNetwork"
import { Authorization } from "./access/Authorization.ts"
import { callerHandlers, callerOperations } from "./access/callerRoutes.ts"
import { dashboardHandlers, serviceDashboardHandlers } from "./dashboard/dashboardRoutes.ts"
import {
  alertHandlers,
  connectionHandlers,
  savedSearchHandlers,
  sourceHandlers,
  webhookHandlers
} from "./dashboard/sourceRoutes.ts"
import { bodyAsSent, tilesOf } from "./dashboard/todaysDashboards.ts"
import { dispatcher, type Route } from "./http/Dispatcher.ts"
import { documentationRoutes } from "./http/Documentation.ts"
import { answerFailures, errorBoundary } from "./http/ErrorBoundary.ts"
import { TodaysProblems } from "./http/HttpProblem.ts"
import { Interceptors } from "./http/Interceptors.ts"
import { CurrentMiddleware, InFlight, RequestObservers } from "./http/RequestLog.ts"
import { KeyRetention } from "./http/idempotency.ts"
import { operationRoutes } from "./http/operationRoutes.ts"
import { answerInOrder } from "./http/pipelining.ts"
import { unservedPaths } from "./http/unservedPaths.ts"
import { keyHandlers } from "./key/keyRoutes.ts"
import { organizationHandlers } from "./organization/organizationRoutes.ts"
import { roleHandlers } from "./key/roleRoutes.ts"
import { pipeHandlers } from "./pipe/pipeRoutes.ts"
import { cdcScalingHandlers, endpointHandlers, serviceHandlers } from "./service/serviceRoutes.ts"

/** The routes of every operation of the contract, over the ports. */
const contractRoutes = Effect.fnUntraced(function* (dialect: Dialect) {
  const { authorize } = yield* Authorization
  const tables = operations(dialect)
  const body = tilesOf(dialect) === "config" ? bodyAsSent : undefined
  return [
    ...operationRoutes(tables.organization, yield* organizationHandlers, authorize),
    ...operationRoutes(tables.service, yield* serviceHandlers, authorize),
    ...operationRoutes(tables.cdcScaling, yield* cdcScalingHandlers, authorize),
    ...operationRoutes(tables.endpoint, yield* endpointHandlers, authorize),
    ...operationRoutes(tables.pipe, yield* pipeHandlers(dialect), authorize),
    ...operationRoutes(tables.key, yield* keyHandlers, authorize),
    ...operationRoutes(tables.dashboard, yield* dashboardHandlers(dialect), authorize, body),
    ...operationRoutes(tables.serviceDashboard, yield* serviceDashboardHandlers, authorize, body),
    ...operationRoutes(tables.connection, yield* connectionHandlers(dialect), authorize),
    ...operationRoutes(tables.source, yield* sourceHandlers(dialect), authorize),
    ...operationRoutes(tables.savedSearch, yield* savedSearchHandlers(dialect), authorize),
    ...operationRoutes(tables.webhook, yield* webhookHandlers(dialect), authorize),
    ...operationRoutes(tables.alert, yield* alertHandlers(dialect), authorize),
    ...operationRoutes(tables.role, yield* roleHandlers, authorize),
    ...operationRoutes(callerOperations, callerHandlers, authorize)
  ]
})

/** What the server answers with. */
export interface RoutesOptions {
  readonly dialect: Dialect
  /** Who may set `X-Forwarded-For`. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Whether both APIs are served, and not `ownRoutes` alone. */
  readonly isApi?: boolean
  /** Routes beside those of the contract and its documentation: health and metrics. */
  readonly ownRoutes?: ReadonlyArray<Route>
}

/** Serves both APIs in a dialect, their documentation and `ownRoutes`, over the ports and the `HttpServer`. */
export const layer = ({ dialect, isApi = true, ownRoutes = [], trustedProxies = [] }: RoutesOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const apiRoutes = isApi ? [...(yield* contractRoutes(dialect)), ...(yield* documentationRoutes(dialect))] : []
      const routes = [...apiRoutes, ...ownRoutes]
      const { requests, operations } = yield* Interceptors
      const wrapped = yield* CurrentMiddleware
      const boundary = errorBoundary(yield* RequestObservers, yield* InFlight, yield* KeyRetention)
      const answered = boundary(
        dispatcher(routes, dialect.name === "clickhouse" ? unservedPaths : [], (answer, current, request) => {
          const intercepted = operations(answer)
          // A span tells what is answered; the boundary answers any other failure.
          return wrapped === undefined ? intercepted : wrapped(current, request, answerFailures(intercepted))
        })
      )
      const forwarded =
        trustedProxies.length === 0 ? answered : HttpMiddleware.xForwardedHeaders({ trustedProxies })(answered)
      const spoken = tilesOf(dialect) === "config" ? Effect.provideService(forwarded, TodaysProblems, true) : forwarded
      return HttpServer.serve(answerInOrder(requests(spoken)))
    })
  )
