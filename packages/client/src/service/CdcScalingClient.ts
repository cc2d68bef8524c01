import type * as Core from "@headgate/core"
import type { Addressed, ServiceAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** The size of the replica that all database pipes of a service share. */
export type CdcReplicaSize = Plain<Core.CdcReplicaSize>

/** The address of a service, and the new size of the replica that its database pipes share. */
export type CdcReplicaSizeUpdate = Addressed<Core.ServiceAddress & Core.CdcReplicaSizeUpdate>

/** The size of the replica that all database pipes of a service share. */
export interface CdcScalingClient {
  /** Reads the size; 2 cores and 8 GB if nobody has changed it. */
  readonly get: (request?: ServiceAddress, options?: CallOptions) => CallPromise<CdcReplicaSize>
  /** Changes the size, and resolves to all of it. Rejects with `FailedDependencyError` while the service does not run. */
  readonly update: (request: CdcReplicaSizeUpdate, options?: CallOptions) => CallPromise<CdcReplicaSize>
}
