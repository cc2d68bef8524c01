import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import { OrganizationAddress, type ServiceAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A database service of an organization. Times are RFC 3339 strings. `id`, `name` and `state` are always present. */
export type Service = Plain<Core.Service>

/** The schema of {@link ServiceStateChange}. */
export const ServiceStateChange = looseStruct({
  ...Core.ServiceAddress.fields,
  ...Core.ServiceStateChange.schema.fields
})

/** The address of a service, and the command for it. */
export type ServiceStateChange = Input<typeof ServiceStateChange.Type>

/** The services of the management API. */
export interface ServicesClient {
  /** Lists the services of an organization; their order is not promised. */
  readonly list: (request: OrganizationAddress, options?: CallOptions) => List<Service>
  /** Reads a service. Rejects with `ServiceNotFoundError` if there is none at the address. */
  readonly get: (request: ServiceAddress, options?: CallOptions) => CallPromise<Service>
  /**
   * Starts, stops or wakes a service. Resolves to the service in its new state, which may be a passing one: read it until it
   * is `running` or `stopped`. Rejects with `ConflictError` if the state does not allow the command.
   */
  readonly setState: (request: ServiceStateChange, options?: CallOptions) => CallPromise<Service>
}

/** The methods of services, over the adapter that runs the calls. */
export const servicesClient = (run: Run<Core.Services>): ServicesClient => {
  const { list, method } = promiseMethods(run, Core.Services)
  return {
    list: list(OrganizationAddress, (services, { organizationId }) => services.list({ organizationId })),
    get: method(Core.ServiceAddress, (services, address) => services.get(address)),
    setState: method(ServiceStateChange, (services, { organizationId, serviceId, ...change }) =>
      services.setState({ organizationId, serviceId }, change)
    )
  }
}
