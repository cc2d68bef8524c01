import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../id/organization.ts"
import type { CallError } from "../error/CallError.ts"
import type { OrganizationNotFound, ServiceNotFound } from "../error/NotFound.ts"
import type { ServiceAddress } from "../id/service.ts"
import type { Service } from "./Service.ts"
import type { ServiceState, ServiceStateChange } from "./serviceLifecycle.ts"

/**
 * The port to the services of organizations: they can be read, started, stopped and woken. An operator of a server adds
 * and removes them with `headgate-server service`. Contract: docs/wire-contract.md#services.
 *
 * @example
 * ```ts
 * import { type ServiceAddress, Services } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Wakes a service and waits until it runs.
 * export const wake = Effect.fn("wake")(function* (address: ServiceAddress) {
 *   const services = yield* Services
 *   yield* services.setState(address, { command: "awake" })
 *   yield* Effect.repeat(Effect.delay(services.get(address), "1 second"), { until: ({ state }) => state === "running" })
 * })
 * ```
 */
export class Services extends Context.Service<
  Services,
  {
    /** Lists the services of an organization; the order is not promised. */
    readonly list: (address: {
      readonly organizationId: OrganizationId
    }) => Effect.Effect<ReadonlyArray<Service>, OrganizationNotFound | CallError>
    /** Reads a service. Fails with `ServiceNotFound` if the organization has none at the address. */
    readonly get: (address: ServiceAddress) => Effect.Effect<Service, ServiceNotFound | CallError>
    /**
     * Starts, stops or wakes a service, and returns it in its new state, which may be a passing one: read it until it is
     * `running` or `stopped`. A repeat changes nothing. Fails with `Conflict` if the state does not allow the command.
     */
    readonly setState: (
      address: ServiceAddress,
      change: ServiceStateChange
    ) => Effect.Effect<Service, ServiceNotFound | CallError>
  }
>()("@headgate/core/service/Services") {}

/**
 * The port to organizations and services for the operator of a server. Only adapters with a store have it. Organizations
 * and services are added by `Snapshots.import`.
 *
 * @example
 * ```ts
 * import type { ServiceAddress } from "@headgate/core"
 * import { StoredServices } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // What a test does to see how its client wakes a service.
 * export const makeIdle = (address: ServiceAddress) =>
 *   StoredServices.use((services) => services.forceState(address, "idle"))
 * ```
 */
export class StoredServices extends Context.Service<
  StoredServices,
  {
    /** Sets the state of a service, whatever it was; a passing state goes on. Fails with `ServiceNotFound`. */
    readonly forceState: (address: ServiceAddress, state: ServiceState) => Effect.Effect<void, ServiceNotFound>
    /** Removes a service with all that is under it, such as its pipes. Fails with `ServiceNotFound`. */
    readonly remove: (address: ServiceAddress) => Effect.Effect<void, ServiceNotFound>
    /** Removes an organization with all that it owns. Fails with `OrganizationNotFound`. */
    readonly removeOrganization: (organizationId: OrganizationId) => Effect.Effect<void, OrganizationNotFound>
  }
>()("@headgate/core/service/StoredServices") {}
