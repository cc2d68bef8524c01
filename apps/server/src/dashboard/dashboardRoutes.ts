import { Dashboard, type DashboardId, type Dashboards, ServiceDashboards } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import type { dashboardOperations, DashboardRows, Dialect, serviceDashboardOperations } from "@headgate/http-contract"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { encodedList, JsonList } from "../http/envelope.ts"
import type { Handlers, OperationRequest } from "../http/operationRoutes.ts"
import { likeToday, tilesOf } from "./todaysDashboards.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(Dashboard))

/** The handlers of the rows of an API: `portOf` is the port that a request is for. */
const handlersOf = <Params, Item extends Params & { readonly dashboardId: DashboardId }>(
  portOf: (request: OperationRequest<Params, unknown>) => Dashboards["Service"]
): Handlers<DashboardRows<Params, Item, never>> => ({
  create: (request) => portOf(request).create(request.payload),
  list: (request) => Effect.map(portOf(request).list(), (all) => encodedList(all, encode)),
  validate: (request) => portOf(request).validate(request.payload),
  get: (request) => portOf(request).get({ dashboardId: request.params.dashboardId }),
  update: (request) => portOf(request).update({ dashboardId: request.params.dashboardId }, request.payload),
  delete: (request) => portOf(request).delete({ dashboardId: request.params.dashboardId })
})

/**
 * The dashboard operations, on the dashboards of the token's organization. Contract:
 * docs/wire-contract.md#create-a-dashboard and docs/wire-contract.md#list-dashboards.
 */
export const dashboardHandlers = Effect.fnUntraced(function* (dialect: Dialect) {
  const dashboards = yield* OrganizationDashboards
  const isToday = tilesOf(dialect) === "config"
  // Today's service sorts, and fills what is absent: the stored text is not the answer.
  const stored = isToday ? Option.none() : yield* Effect.serviceOption(StoredDocuments)
  const handlers = handlersOf<{}, { readonly dashboardId: DashboardId }>(({ principal }) => {
    const port = dashboards.of(principal.organizationId)
    return isToday ? likeToday(port) : port
  })
  const withStored: Handlers<ReturnType<typeof dashboardOperations>> = {
    ...handlers,
    list: (request) =>
      Option.isSome(stored)
        ? Effect.succeed(new JsonList(stored.value.dashboards(request.principal.organizationId)))
        : handlers.list(request)
  }
  return withStored
})

/** The same on the management API, below each service of the key's organization. */
export const serviceDashboardHandlers = Effect.gen(function* () {
  const services = yield* ServiceDashboards
  const handlers: Handlers<ReturnType<typeof serviceDashboardOperations>> = handlersOf(({ params }) =>
    services.of(params)
  )
  return handlers
})
