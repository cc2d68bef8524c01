import * as Context from "effect/Context"
import type { ServiceAddress } from "../id/service.ts"

/** The identifier of a port that {@link BelowService} makes from another one. */
export interface BelowService<Port> {
  readonly "~belowService": Port
}

/**
 * The port to documents of an organization that are reached through a service, as over the management API: every service of an
 * organization has the same. `of(address)` is the port of one service. Its methods fail with `ServiceNotFound` if the
 * organization has no such service, those that change something with `FailedDependency` while it is not running. Nothing is
 * read until one is called.
 *
 * @example
 * ```ts
 * import { BelowService, Dashboards, type ServiceAddress } from "@headgate/core"
 *
 * export const listOf = (address: ServiceAddress) =>
 *   BelowService(Dashboards).use((dashboards) => dashboards.of(address).list())
 * ```
 */
export const BelowService = <Identifier, Port>(port: Context.Key<Identifier, Port>) =>
  Context.Service<BelowService<Identifier>, { readonly of: (address: ServiceAddress) => Port }>(
    `${port.key}/BelowService`
  )
