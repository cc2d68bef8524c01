import { Dashboard } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import type { dashboardOperations } from "@headgate/http-contract"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { encodedList, JsonList } from "../http/envelope.ts"
import type { Handlers } from "../http/operationRoutes.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(Dashboard))

/** The dashboard operations, on the dashboards of the token's organization. Contract: sections 4.3 and 4.4. */
export const dashboardHandlers = Effect.gen(function* () {
  const dashboards = yield* OrganizationDashboards
  const stored = yield* Effect.serviceOption(StoredDocuments)
  const handlers: Handlers<ReturnType<typeof dashboardOperations>> = {
    create: ({ payload, principal }) => dashboards.of(principal.organizationId).create(payload),
    validate: ({ payload, principal }) => dashboards.of(principal.organizationId).validate(payload),
    get: ({ params, principal }) => dashboards.of(principal.organizationId).get(params.dashboardId),
    update: ({ params, payload, principal }) =>
      dashboards.of(principal.organizationId).update(params.dashboardId, payload),
    delete: ({ params, principal }) => dashboards.of(principal.organizationId).delete(params.dashboardId),
    list: ({ principal }) =>
      Option.isSome(stored)
        ? Effect.succeed(new JsonList(stored.value.dashboards(principal.organizationId)))
        : Effect.map(dashboards.of(principal.organizationId).list(), (all) => encodedList(all, encode))
  }
  return handlers
})
