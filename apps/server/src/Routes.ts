import { ServiceAddress } from "@headgate/core"
import { ports } from "@headgate/core/adapter"
import { type Dialect, type Operations, operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import type * as IpNetwork from "effect/net/IpNetwork"
import { Authorization } from "./access/Authorization.ts"
import { callerHandlers, callerOperations } from "./access/callerRoutes.ts"
import { chartHandlers } from "./chart/chartRoutes.ts"
import { dashboardHandlers, serviceDashboardHandlers } from "./dashboard/dashboardRoutes.ts"
import { documentHandlers, serviceWebhookHandlers } from "./dashboard/sourceRoutes.ts"
import { bodyAsSent, tilesOf } from "./dashboard/configDashboards.ts"
import { dispatcher, type Route } from "./http/Dispatcher.ts"
import { documentationRoutes } from "./http/Documentation.ts"
import { answerFailures, errorBoundary } from "./http/ErrorBoundary.ts"
import { PlainTextProblems } from "./http/HttpProblem.ts"
import { Interceptors } from "./http/Interceptors.ts"
import { CurrentMiddleware, InFlight, RequestObservers } from "./http/RequestLog.ts"
import { KeyRetention } from "./http/idempotency.ts"
import { handlersOf, type Rows } from "./http/handlersOf.ts"
import { type Handlers, operationRoutes } from "./http/operationRoutes.ts"
import { answerInOrder } from "./http/pipelining.ts"
import { unservedPaths } from "./http/unservedPaths.ts"
import { consoleHandlers } from "./key/consoleHandlers.ts"
import { keyHandlers } from "./key/keyRoutes.ts"
import { organizationHandlers } from "./organization/organizationRoutes.ts"
import { pipeHandlers } from "./pipe/pipeRoutes.ts"

type EveryHandler = { readonly [Noun in keyof Operations]: Handlers<Operations[Noun]> }

/**
 * The handlers of the management API. Each calls the method of its port that has its name. A port below a service is first given
 * the service in the path (`of`). `http-adapter` checks the types of each operation and its method.
 */
const managementHandlers = (tables: { readonly [noun: string]: Rows }) =>
  Effect.map(Effect.all(ports.management), (upstream) => {
    const handlers = Record.map<string, any, unknown>(upstream, (port, noun) =>
      "of" in port
        ? handlersOf(tables[noun] ?? {}, ({ params }: any) => port.of(params), ServiceAddress.fields)
        : handlersOf(tables[noun] ?? {}, () => port)
    )
    return handlers as Pick<EveryHandler, keyof typeof ports.management>
  })

/** The handlers of every operation of the contract, over the ports. */
const contractHandlers = Effect.fnUntraced(function* (dialect: Dialect, tables: Operations) {
  const handlers: EveryHandler = {
    ...(yield* managementHandlers(tables)),
    organization: yield* organizationHandlers(tables.organization),
    pipe: yield* pipeHandlers(dialect, tables.pipe),
    key: yield* keyHandlers(tables.key),
    console: yield* consoleHandlers,
    dashboard: yield* dashboardHandlers(dialect, tables.dashboard),
    serviceDashboard: yield* serviceDashboardHandlers(tables.serviceDashboard),
    ...(yield* documentHandlers(dialect, tables)),
    serviceWebhook: yield* serviceWebhookHandlers(tables.serviceWebhook),
    chart: yield* chartHandlers(tables.chart)
  }
  return handlers
})

/** The routes of every operation of the contract, and that of its caller. */
const contractRoutes = Effect.fnUntraced(function* (dialect: Dialect) {
  const { authorize } = yield* Authorization
  const tables = operations(dialect)
  const handlers: { readonly [Noun in keyof Operations]: Handlers<Rows> } = yield* contractHandlers(dialect, tables)
  const asSent = tilesOf(dialect) === "config" ? bodyAsSent : undefined
  const bodies: { readonly [Noun in keyof Operations]?: typeof asSent } = {
    dashboard: asSent,
    serviceDashboard: asSent
  }
  return [
    ...Struct.keys(tables).flatMap((noun) =>
      operationRoutes<Rows>(tables[noun], handlers[noun], authorize, bodies[noun])
    ),
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
      const spoken =
        tilesOf(dialect) === "config" ? Effect.provideService(forwarded, PlainTextProblems, true) : forwarded
      return HttpServer.serve(answerInOrder(requests(spoken)))
    })
  )
