import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A reverse private endpoint: pipes of a service reach a source in a private network through it. */
export type ReversePrivateEndpoint = Plain<Core.ReversePrivateEndpoint>

/**
 * The reverse private endpoints of services. `get`, `update` and `delete` reject with
 * `ReversePrivateEndpointNotFoundError` if there is no such endpoint.
 */
export interface PrivateEndpointsClient extends PromiseClient<Core.ReversePrivateEndpoints["Service"]> {}

const CreateInput = looseStruct({ ...Core.ServiceAddress.fields, ...Core.ReversePrivateEndpointCreate.schema.fields })
const UpdateInput = looseStruct({
  ...Core.ReversePrivateEndpointAddress.fields,
  ...Core.ReversePrivateEndpointUpdate.schema.fields
})

/** The methods of reverse private endpoints, over the adapter that runs the calls. */
export const privateEndpointsClient = (run: Run<Core.ReversePrivateEndpoints>): PrivateEndpointsClient => {
  const { list, method } = promiseMethods(run, Core.ReversePrivateEndpoints)
  return {
    list: list(Core.ServiceAddress, (endpoints, address) => endpoints.list(address)),
    get: method(Core.ReversePrivateEndpointAddress, (endpoints, address) => endpoints.get(address)),
    create: method(CreateInput, (endpoints, { organizationId, serviceId, ...request }) =>
      endpoints.create({ organizationId, serviceId }, request)
    ),
    update: method(UpdateInput, (endpoints, { organizationId, reversePrivateEndpointId, serviceId, ...request }) =>
      endpoints.update({ organizationId, reversePrivateEndpointId, serviceId }, request)
    ),
    delete: method(Core.ReversePrivateEndpointAddress, (endpoints, address) => endpoints.delete(address))
  }
}
