import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A database service of an organization. Times are RFC 3339 strings. `id`, `name` and `state` are always present. */
export type Service = Plain<Core.Service>

/**
 * The services of the management API. `setState` resolves to the service in its new state, which may be a passing one:
 * read it until it is `running` or `stopped`. It rejects with `ConflictError` if the state does not allow the command.
 */
export interface ServicesClient extends PromiseClient<Core.Services["Service"]> {}

const OrganizationInput = Schema.Struct({ organizationId: Core.OrganizationId })
const StateChangeInput = looseStruct({
  ...Core.ServiceAddress.fields,
  ...Core.ServiceStateChange.schema.fields
})

/** The methods of services, over the adapter that runs the calls. */
export const servicesClient = (run: Run<Core.Services>): ServicesClient => {
  const { list, method } = promiseMethods(run, Core.Services)
  return {
    list: list(OrganizationInput, (services, { organizationId }) => services.list(organizationId)),
    get: method(Core.ServiceAddress, (services, address) => services.get(address)),
    setState: method(StateChangeInput, (services, { organizationId, serviceId, ...change }) =>
      services.setState({ organizationId, serviceId }, change)
    )
  }
}
