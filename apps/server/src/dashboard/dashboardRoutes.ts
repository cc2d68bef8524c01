import { OrganizationDashboards } from "@headgate/core/adapter"
import type { dashboardOperations } from "@headgate/http-contract"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { JsonList } from "../http/envelope.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/** The dashboard operations, on the dashboards of the token's organization. Contract: sections 4.3 and 4.4. */
export const dashboardHandlers = Effect.gen(function* () {
  const dashboards = yield* OrganizationDashboards
  const stored = yield* Effect.serviceOption(StoredDocuments)
  const handlers: Handlers<ReturnType<typeof dashboardOperations>> = {
    create: ({ payload, principal }) => dashboards.of(principal.organizationId).create(payload),
    list: ({ principal }) =>
      Option.isSome(stored)
        ? Effect.succeed(
            new JsonList(() =>
              Effect.map(Stream.runCollect(stored.value.dashboards(principal.organizationId)), (pages) => ({
                documents: pages.flat()
              }))
            )
          )
        : dashboards.of(principal.organizationId).list()
  }
  return handlers
})
