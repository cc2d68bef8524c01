import * as Core from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import type { ServiceAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** The size of the replica that all database pipes of a service share. */
export type CdcReplicaSize = Plain<Core.CdcReplicaSize>

/** The schema of {@link CdcReplicaSizeUpdate}. */
export const CdcReplicaSizeUpdate = looseStruct({
  ...Core.ServiceAddress.fields,
  ...Core.CdcReplicaSizeUpdate.schema.fields
})

/** The address of a service, and the new size of the replica that its database pipes share. */
export type CdcReplicaSizeUpdate = Input<typeof CdcReplicaSizeUpdate.Type>

/** The size of the replica that all database pipes of a service share. */
export interface CdcScalingClient {
  /** Reads the size; 2 cores and 8 GB if nobody has changed it. */
  readonly get: (request: ServiceAddress, options?: CallOptions) => CallPromise<CdcReplicaSize>
  /** Changes the size, and resolves to all of it. Rejects with `FailedDependencyError` while the service does not run. */
  readonly update: (request: CdcReplicaSizeUpdate, options?: CallOptions) => CallPromise<CdcReplicaSize>
}

/** The methods of the size of database pipes, over the adapter that runs the calls. */
export const cdcScalingClient = (run: Run<Core.CdcScaling>): CdcScalingClient => {
  const { method } = promiseMethods(run, Core.CdcScaling)
  return {
    get: method(Core.ServiceAddress, (scaling, address) => scaling.get(address)),
    update: method(CdcReplicaSizeUpdate, (scaling, { organizationId, serviceId, ...update }) =>
      scaling.update({ organizationId, serviceId }, update)
    )
  }
}
