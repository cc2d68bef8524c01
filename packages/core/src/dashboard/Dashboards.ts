import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../id/organization.ts"
import type { CallError } from "../error/CallError.ts"
import type { DashboardNotFound, ServiceNotFound } from "../error/NotFound.ts"
import type { Dashboard } from "./Dashboard.ts"
import type { DashboardCreate } from "./DashboardCreate.ts"
import type { DashboardUpdate } from "./DashboardUpdate.ts"
import type { DashboardDocument, DashboardValidation } from "./DashboardValidation.ts"
import type { DashboardId } from "../id/dashboard.ts"

/** The dashboard that an operation is about. */
export interface DashboardAddress {
  readonly dashboardId: DashboardId
}

/** `ServiceNotFound`: only where the dashboards are reached through a service. */
type DashboardsError = ServiceNotFound | CallError

/**
 * The port to the dashboards of one organization. The layer decides which one, as a bearer token does over HTTP: no
 * operation has an organization as a parameter. Contract: docs/wire-contract.md#create-a-dashboard and
 * docs/wire-contract.md#list-dashboards.
 *
 * @example
 * ```ts
 * import { type DashboardCreate, Dashboards } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Creates a dashboard unless one with this name exists.
 * export const ensure = Effect.fn("ensure")(function* (request: DashboardCreate) {
 *   const dashboards = yield* Dashboards
 *   const existing = (yield* dashboards.list()).find(({ name }) => name === request.name)
 *   return existing ?? (yield* dashboards.create(request))
 * })
 * ```
 */
export class Dashboards extends Context.Service<
  Dashboards,
  {
    /** Creates a dashboard, and assigns ids to it and its tiles. Fails with `InvalidRequest` for a bad field. */
    readonly create: (request: DashboardCreate) => Effect.Effect<Dashboard, DashboardsError>
    /** All dashboards, each once. Their order is not promised: the service sorts by name, an adapter may not. */
    readonly list: () => Effect.Effect<ReadonlyArray<Dashboard>, DashboardsError>
    /** Reads a dashboard. */
    readonly get: (address: DashboardAddress) => Effect.Effect<Dashboard, DashboardNotFound | DashboardsError>
    /**
     * Replaces a dashboard. The ids of tiles in the request are kept, a tile without one gets one. Fails with
     * `InvalidRequest` for a bad field, with `Conflict` if the organization then exceeds its limit of documents.
     */
    readonly update: (
      address: DashboardAddress,
      request: DashboardUpdate
    ) => Effect.Effect<Dashboard, DashboardNotFound | DashboardsError>
    /** Deletes a dashboard. */
    readonly delete: (address: DashboardAddress) => Effect.Effect<void, DashboardNotFound | DashboardsError>
    /** Tells whether `create` would take a document, and which fields are wrong. Stores nothing. */
    readonly validate: (document: DashboardDocument) => Effect.Effect<DashboardValidation, DashboardsError>
  }
>()("@headgate/core/dashboard/Dashboards") {}

/**
 * The port to the dashboards of every organization in a store. A server needs it, because each bearer token names an
 * organization. The HTTP client has one token and does not have this port.
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
    /** The `Dashboards` port of one organization. Nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => Dashboards["Service"]
  }
>()("@headgate/core/dashboard/OrganizationDashboards") {}
