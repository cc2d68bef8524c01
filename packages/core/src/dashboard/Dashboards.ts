import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../access/ids.ts"
import type { CallError } from "../error/CallError.ts"
import type { Dashboard } from "./Dashboard.ts"
import type { DashboardCreate } from "./DashboardCreate.ts"

/**
 * The port to the dashboards of one organization. Which one is settled when the layer is built, as a bearer token
 * settles it on the wire: no operation of the contract (sections 4.3 and 4.4) names an organization.
 *
 * @example
 * ```ts
 * import { type DashboardCreate, Dashboards } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Creates a dashboard unless one has its name already: creates are not repeatable, lists are.
 * export const ensure = Effect.fn("ensure")(function* (request: DashboardCreate) {
 *   const dashboards = yield* Dashboards
 *   const held = (yield* dashboards.list()).find(({ name }) => name === request.name)
 *   return held ?? (yield* dashboards.create(request))
 * })
 * ```
 */
export class Dashboards extends Context.Service<
  Dashboards,
  {
    /** Creates a dashboard; it and its tiles get their ids. Fails with `InvalidRequest` for a bad field. */
    readonly create: (request: DashboardCreate) => Effect.Effect<Dashboard, CallError>
    /** All dashboards, newest last. */
    readonly list: () => Effect.Effect<ReadonlyArray<Dashboard>, CallError>
  }
>()("@headgate/core/dashboard/Dashboards") {}

/**
 * The dashboards of every organization that an adapter holds: what a server needs, which learns from each bearer token
 * whose dashboards are meant. Adapters that stand for one token only, as the HTTP client does, do not have it.
 *
 * @example
 * ```ts
 * import { OrganizationDashboards, type TokenPrincipal } from "@headgate/core/adapter"
 *
 * export const listFor = (caller: TokenPrincipal) =>
 *   OrganizationDashboards.use((dashboards) => dashboards.of(caller.organizationId).list())
 * ```
 */
export class OrganizationDashboards extends Context.Service<
  OrganizationDashboards,
  {
    /** The `Dashboards` port of one organization. Cheap: nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => Dashboards["Service"]
  }
>()("@headgate/core/dashboard/OrganizationDashboards") {}
