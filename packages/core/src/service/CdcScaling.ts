import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type CallError, type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import type { ServiceNotFound } from "../error/NotFound.ts"
import { validate } from "../error/validate.ts"
import type { ServiceAddress } from "../id/service.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"

/** The size of the replica that all database pipes of a service share. Contract: docs/wire-contract.md#cdc-scaling. */
export const CdcReplicaSize = looseStruct({
  replicaCpuMillicores: nullish(Schema.Int, "The CPU of the replica, in millicores."),
  replicaMemoryGb: nullish(Schema.Finite, "The memory of the replica, in gigabytes: 4 for each CPU core.")
}).pipe(withIdentifier("CdcReplicaSize", "The size of the replica that all database pipes of a service share."))
export type CdcReplicaSize = typeof CdcReplicaSize.Type

const step = (unit: number, minimum: number, maximum: number) =>
  Schema.Finite.check(
    Schema.makeFilter(
      (size: number) =>
        (size % unit === 0 && size >= minimum && size <= maximum) ||
        `Expected a multiple of ${unit} from ${minimum} to ${maximum}`,
      { expected: "a size", toJsonSchema: () => [{ multipleOf: unit, minimum, maximum }, true] }
    )
  )

/**
 * A new size of the replica of database pipes. An absent or `null` field follows the other one: 4 GB for each CPU core.
 * Contract: docs/wire-contract.md#cdc-scaling; what follows is decided.
 */
export const CdcReplicaSizeUpdate = looseStruct({
  replicaCpuMillicores: nullish(
    step(1000, 1000, 32_000),
    "The CPU of the replica, in millicores: a multiple of 1000 from 1000 to 32000."
  ),
  replicaMemoryGb: nullish(
    step(4, 4, 128),
    "The memory of the replica, in gigabytes: a multiple of 4 from 4 to 128, and 4 for each CPU core."
  )
}).pipe(withIdentifier("CdcReplicaSizeUpdate", "A new size of the replica of database pipes."))
export type CdcReplicaSizeUpdate = typeof CdcReplicaSizeUpdate.Type

/**
 * The port to the size of the replica that all database pipes of a service share. Contract:
 * docs/wire-contract.md#cdc-scaling.
 *
 * @example
 * ```ts
 * import { CdcScaling, type ServiceAddress } from "@headgate/core"
 *
 * // Four cores, and with them 16 GB.
 * export const enlarge = (address: ServiceAddress) =>
 *   CdcScaling.use((scaling) => scaling.update(address, { replicaCpuMillicores: 4000 }))
 * ```
 */
export class CdcScaling extends Context.Service<
  CdcScaling,
  {
    /** Reads the size; 2 cores and 8 GB if nobody has changed it. */
    readonly get: (address: ServiceAddress) => Effect.Effect<CdcReplicaSize, ServiceNotFound | CallError>
    /** Changes the size, and returns all of it. Fails with `FailedDependency` while the service does not run. */
    readonly update: (
      address: ServiceAddress,
      update: CdcReplicaSizeUpdate
    ) => Effect.Effect<CdcReplicaSize, ServiceNotFound | CallError>
  }
>()("@headgate/core/service/CdcScaling") {}

/** The size of a replica that nobody has changed. */
const defaultCdcReplicaSize: CdcReplicaSize = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

const validateUpdate = validate(CdcReplicaSizeUpdate)

/**
 * The size after an update. Fails with `InvalidRequest` if a value is out of bounds, or if both are given and do not fit
 * together.
 *
 * @example
 * ```ts
 * import { cdcReplicaRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const size = await Effect.runPromise(cdcReplicaRules.change(cdcReplicaRules.default, { replicaCpuMillicores: 4000 }))
 * console.log(size) // { replicaCpuMillicores: 4000, replicaMemoryGb: 16 }
 * ```
 */
const changeCdcReplicaSize = Effect.fnUntraced(function* (
  current: CdcReplicaSize,
  update: CdcReplicaSizeUpdate
): Effect.fn.Return<CdcReplicaSize, InvalidRequest> {
  const { replicaCpuMillicores: cpu, replicaMemoryGb: memory } = yield* validateUpdate(update)
  const cores = cpu ?? (memory ? memory * 250 : undefined)
  if (cores === undefined) return current
  const replicaMemoryGb = cores / 250
  if (memory && memory !== replicaMemoryGb) {
    const message = `Expected ${replicaMemoryGb}, 4 for each CPU core, or no value`
    return yield* invalidRequest([{ path: "replicaMemoryGb", message }])
  }
  return { ...current, replicaCpuMillicores: cores, replicaMemoryGb }
})

/** The rules of every store of replica sizes. */
export const cdcReplicaRules = {
  /** The size of a replica that nobody has changed. */
  default: defaultCdcReplicaSize,
  /** The size after an update. */
  change: changeCdcReplicaSize
}
