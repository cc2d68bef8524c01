import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import type { PipeChange } from "./lifecycle.ts"

const between = (minimum: number, maximum: number, what: string) =>
  Schema.isBetween({ minimum, maximum }, { message: `Expected ${what} from ${minimum} to ${maximum}` })

/** A whole number with bounds, which may be absent or `null`. */
export const boundedInt = (minimum: number, maximum: number, description: string) =>
  nullish(Schema.Int.check(between(minimum, maximum, "a whole number")), description)

/**
 * The request to change the size of a pipe. What is absent or `null` stays as it is. Contract:
 * docs/wire-contract.md#change-a-pipes-state-size-and-settings.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 *
 * export const double = (address: PipeAddress) => Pipes.use((pipes) => pipes.scale(address, { replicas: 2 }))
 * ```
 */
export const ScalingUpdate = looseStruct({
  replicas: boundedInt(1, 40, "The number of replicas."),
  replicaCpuMillicores: boundedInt(125, 2000, "The CPU of each replica, in millicores."),
  replicaMemoryGb: nullish(
    Schema.Finite.check(between(0.5, 8, "a number")),
    "The memory of each replica, in gigabytes; may be fractional."
  ),
  concurrency: boundedInt(
    0,
    34,
    "The number of files that an object storage pipe reads at once; 0 lets the service choose."
  )
}).pipe(withIdentifier("ScalingUpdate", "The new size of a pipe. What is absent or `null` stays as it is."))
export type ScalingUpdate = typeof ScalingUpdate.Type

const validateScaling = validate(ScalingUpdate)

/** The change of a pipe that a request for another size asks for. Fails with `InvalidRequest` if the request is wrong. */
export const scalingChange = (request: ScalingUpdate): Effect.Effect<PipeChange, InvalidRequest> =>
  Effect.map(validateScaling(request), (update) => {
    const given = Record.filter(update, Predicate.isNotNullish)
    return (record) =>
      Result.succeed(
        Record.isEmptyRecord(given)
          ? record
          : { ...record, pipe: { ...record.pipe, scaling: { ...record.pipe.scaling, ...given } } }
      )
  })
