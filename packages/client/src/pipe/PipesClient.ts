import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/**
 * A pipe: it moves data continuously from a source into a table of a managed database service. Times are RFC 3339
 * strings, `source.objectStorage.connectionString` is a `Secret`. Only `id`, `serviceId`, `name` and `state` are always
 * present.
 */
export type Pipe = Plain<Core.Pipe>

/** The address of a pipe: three UUIDs. */
export type PipeAddress = Input<Core.PipeAddress>

/** A request for a new pipe, with its organization and service. Secrets are strings or a `Secret`. */
export type PipeCreate = Parameters<PipesClient["create"]>[0]

/** The changes of a pipe, with its address. Secrets are strings or a `Secret`. */
export type PipeUpdate = Parameters<PipesClient["update"]>[0]

/**
 * The pipes of the management API. `get` and `delete` reject with `PipeNotFoundError` if there is no such pipe, `list`
 * with `ServiceNotFoundError` if there is no such service.
 */
export interface PipesClient extends PromiseClient<Core.Pipes["Service"]> {}

const CreateInput = looseStruct({ ...Core.ServiceAddress.fields, ...Core.PipeCreate.schema.fields })
const UpdateInput = looseStruct({ ...Core.PipeAddress.fields, ...Core.PipeUpdate.schema.fields })
const DiscoveryInput = looseStruct({ ...Core.ServiceAddress.fields, ...Core.SchemaDiscovery.schema.fields })
const StateChangeInput = looseStruct({ ...Core.PipeAddress.fields, ...Core.PipeStateChange.schema.fields })
const ScalingInput = looseStruct({ ...Core.PipeAddress.fields, ...Core.ScalingUpdate.schema.fields })
const SettingsInput = looseStruct({ ...Core.PipeAddress.fields, ...Core.SettingsUpdate.schema.fields })

/** The methods of pipes, over the adapter that runs the calls. */
export const pipesClient = (run: Run<Core.Pipes>): PipesClient => {
  const { list, method } = promiseMethods(run, Core.Pipes)
  return {
    list: list(Core.ServiceAddress, (pipes, address) => pipes.list(address)),
    get: method(Core.PipeAddress, (pipes, address) => pipes.get(address)),
    create: method(CreateInput, (pipes, { organizationId, serviceId, ...request }) =>
      pipes.create({ organizationId, serviceId }, request)
    ),
    update: method(UpdateInput, (pipes, { organizationId, pipeId, serviceId, ...request }) =>
      pipes.update({ organizationId, serviceId, pipeId }, request)
    ),
    delete: method(Core.PipeAddress, (pipes, address) => pipes.delete(address)),
    setState: method(StateChangeInput, (pipes, { organizationId, pipeId, serviceId, ...request }) =>
      pipes.setState({ organizationId, serviceId, pipeId }, request)
    ),
    scale: method(ScalingInput, (pipes, { organizationId, pipeId, serviceId, ...request }) =>
      pipes.scale({ organizationId, serviceId, pipeId }, request)
    ),
    settings: method(Core.PipeAddress, (pipes, address) => pipes.settings(address)),
    updateSettings: method(SettingsInput, (pipes, { organizationId, pipeId, serviceId, ...request }) =>
      pipes.updateSettings({ organizationId, serviceId, pipeId }, request)
    ),
    discoverSchema: method(DiscoveryInput, (pipes, { organizationId, serviceId, ...request }) =>
      pipes.discoverSchema({ organizationId, serviceId }, request)
    ),
    status: method(Core.PipeAddress, (pipes, address) => pipes.status(address)),
    context: method(Core.ServiceAddress, (pipes, address) => pipes.context(address))
  }
}
