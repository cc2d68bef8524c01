import type { DashboardCreate, OrganizationId } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { observabilityDocument } from "../http/envelope.ts"

/**
 * Creates a dashboard and answers with it: what the route does, and what is answered straight away. Dashboards are on
 * the wire what they are inside (a test holds it). Contract: section 4.3.
 */
export const createDashboard = Effect.map(
  OrganizationDashboards,
  (dashboards) => (organizationId: OrganizationId, request: DashboardCreate) =>
    observabilityDocument(
      Effect.map(dashboards.of(organizationId).create(request), (dashboard) => JSON.stringify(dashboard))
    )
)
