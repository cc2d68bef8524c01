import { BelowService, Dashboard, Dashboards, ServiceAddress } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import type { Dialect, Operations } from "@headgate/http-contract"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { encodedList, JsonList } from "../http/envelope.ts"
import { handlersOf } from "../http/handlersOf.ts"
import type { Handlers } from "../http/operationRoutes.ts"
import { asConfigDashboards, tilesOf } from "./configDashboards.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(Dashboard))

/**
 * The dashboard operations, on the dashboards of the token's organization. Contract:
 * docs/wire-contract.md#create-a-dashboard and docs/wire-contract.md#list-dashboards.
 */
export const dashboardHandlers = Effect.fnUntraced(function* (dialect: Dialect, table: Operations["dashboard"]) {
  const dashboards = yield* OrganizationDashboards
  const hasConfigTiles = tilesOf(dialect) === "config"
  // The service of the dialect `clickhouse` sorts, and fills what is absent: the stored text is not the answer.
  const stored = hasConfigTiles ? Option.none() : yield* Effect.serviceOption(StoredDocuments)
  const handlers: Handlers<typeof table> = {
    ...handlersOf(table, ({ principal }) => {
      const port = dashboards.of(principal.organizationId)
      return hasConfigTiles ? asConfigDashboards(port) : port
    }),
    list: ({ principal: { organizationId } }) =>
      Option.isSome(stored)
        ? Effect.succeed(new JsonList(stored.value.dashboards(organizationId)))
        : Effect.map(dashboards.of(organizationId).list(), (all) => encodedList(all, encode))
  }
  return handlers
})

/** The same on the management API, below each service of the key's organization. */
export const serviceDashboardHandlers = (table: Operations["serviceDashboard"]) =>
  Effect.map(BelowService(Dashboards), (services): Handlers<typeof table> => ({
    ...handlersOf(table, ({ params }) => services.of(params), ServiceAddress.fields),
    list: ({ params }) => Effect.map(services.of(params).list(), (all) => encodedList(all, encode))
  }))
