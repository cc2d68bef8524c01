import { CdcReplicaSize, CdcReplicaSizeUpdate, ServiceAddress } from "@headgate/core"
import type { Dialect } from "../Dialect.ts"
import { noPayload, type Operation } from "../Operation.ts"

/**
 * The operations on the size of the replica of database pipes, in a dialect. Contract:
 * docs/wire-contract.md#cdc-scaling.
 *
 * @example
 * ```ts
 * import { cdcScalingOperations, clickhouse } from "@headgate/http-contract"
 *
 * console.log(cdcScalingOperations(clickhouse).get.path)
 * // /v1/organizations/:organizationId/services/:serviceId/clickpipesCdcScaling
 * ```
 */
export const cdcScalingOperations = ({ pipesSegment }: Dialect) => {
  const path = `/v1/organizations/:organizationId/services/:serviceId/${pipesSegment}CdcScaling` as const
  return {
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "pipe:read",
      params: ServiceAddress,
      payload: noPayload,
      success: CdcReplicaSize,
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read the size of the replica of database pipes"
    } satisfies Operation<ServiceAddress, undefined, CdcReplicaSize, "ServiceNotFound">,
    update: {
      api: "management",
      method: "PATCH",
      path,
      permission: "pipe:update",
      params: ServiceAddress,
      payload: CdcReplicaSizeUpdate,
      success: CdcReplicaSize,
      notFound: "ServiceNotFound",
      errors: ["FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Change the size of the replica of database pipes"
    } satisfies Operation<ServiceAddress, CdcReplicaSizeUpdate, CdcReplicaSize, "ServiceNotFound">
  } as const
}
