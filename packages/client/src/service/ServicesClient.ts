import type * as Core from "@headgate/core"
import type { Addressed, OrganizationAddress, ServiceAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** A database service of an organization. Times are RFC 3339 strings. `id`, `name` and `state` are always present. */
export type Service = Plain<Core.Service>

/** The address of a service, and the command for it. */
export type ServiceStateChange = Addressed<Core.ServiceAddress & Core.ServiceStateChange>

/** The services of the management API. */
export interface ServicesClient {
  /** Lists the services of an organization; their order is not promised. */
  readonly list: (request?: OrganizationAddress, options?: CallOptions) => List<Service>
  /** Reads a service. Rejects with `ServiceNotFoundError` if there is none at the address. */
  readonly get: (request?: ServiceAddress, options?: CallOptions) => CallPromise<Service>
  /**
   * Starts, stops or wakes a service. Resolves to the service in its new state, which may be a passing one: read it until it
   * is `running` or `stopped`. Rejects with `ConflictError` if the state does not allow the command.
   */
  readonly setState: (request: ServiceStateChange, options?: CallOptions) => CallPromise<Service>
}
