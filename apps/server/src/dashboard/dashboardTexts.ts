import type { OrganizationId } from "@headgate/core"
import { DashboardDocuments, OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Lists dashboards as the JSON text that goes on the wire: the texts that the store keeps, where it keeps text, else what
 * is written of each. Dashboards are on the wire what they are inside (a test holds it).
 */
export const dashboardTexts = Effect.gen(function* () {
  const dashboards = yield* OrganizationDashboards
  const documents = yield* Effect.serviceOption(DashboardDocuments)
  return Option.isSome(documents)
    ? documents.value.list
    : (organizationId: OrganizationId) =>
        Effect.map(dashboards.of(organizationId).list(), (all) => all.map((dashboard) => JSON.stringify(dashboard)))
})
