import * as Context from "effect/Context"
import type { OrganizationId } from "../access/OrganizationId.ts"
import type { Dashboards } from "./Dashboards.ts"

/**
 * The dashboards of every organization that an adapter holds: what a server needs, which learns from each bearer token
 * whose dashboards are meant. Adapters that stand for one token only, as the HTTP client does, do not have it.
 *
 * @example
 * ```ts
 * import type { TokenPrincipal } from "@headgate/core/access"
 * import { OrganizationDashboards } from "@headgate/core/dashboard"
 *
 * export const listFor = (caller: TokenPrincipal) =>
 *   OrganizationDashboards.use((dashboards) => dashboards.of(caller.organizationId).list)
 * ```
 */
export class OrganizationDashboards extends Context.Service<
  OrganizationDashboards,
  {
    /** The `Dashboards` port of one organization. Cheap: nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => Dashboards["Service"]
  }
>()("@headgate/core/dashboard/OrganizationDashboards") {}
