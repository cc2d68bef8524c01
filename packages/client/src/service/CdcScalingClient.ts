import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** The size of the replica that all database pipes of a service share. */
export interface CdcScalingClient extends PromiseClient<Core.CdcScaling["Service"]> {}

const UpdateInput = looseStruct({ ...Core.ServiceAddress.fields, ...Core.CdcReplicaSizeUpdate.schema.fields })

/** The methods of the size of database pipes, over the adapter that runs the calls. */
export const cdcScalingClient = (run: Run<Core.CdcScaling>): CdcScalingClient => {
  const { method } = promiseMethods(run, Core.CdcScaling)
  return {
    get: method(Core.ServiceAddress, (scaling, address) => scaling.get(address)),
    update: method(UpdateInput, (scaling, { organizationId, serviceId, ...update }) =>
      scaling.update({ organizationId, serviceId }, update)
    )
  }
}
