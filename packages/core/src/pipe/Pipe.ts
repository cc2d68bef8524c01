import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { Destination } from "./Destination.ts"
import { PipeSource } from "./PipeSource.ts"
import { Settings } from "./Settings.ts"
import { PipeId, ServiceId } from "./ids.ts"

/** The known states of a pipe. The contract (section 3) shows none: these are decided. */
export const pipeStates = [
  "Unknown",
  "Provisioning",
  "Running",
  "Degraded",
  "Stopping",
  "Stopped",
  "Failed",
  "Completed",
  "InternalError",
  "Setup",
  "Snapshot",
  "Paused",
  "Pausing",
  "Modifying",
  "Resync"
] as const

/**
 * The current state of a pipe. Editors complete the known states, {@link pipeStates}, but any string is valid: the contract
 * (section 3) does not show all values.
 *
 * @example
 * ```ts
 * import type { PipeState } from "@headgate/core"
 *
 * const settled: ReadonlyArray<PipeState> = ["Running", "Stopped", "Paused", "Completed", "Failed"]
 * export const isSettled = (state: PipeState): boolean => settled.includes(state)
 * ```
 */
export const PipeState = knownString(pipeStates)
export type PipeState = typeof PipeState.Type

/** Maps a field of the source to a field of the destination. Contract: section 2.2, `fieldMappings[]`. */
export const FieldMapping = looseStruct({
  sourceField: nullish(Schema.String),
  destinationField: nullish(Schema.String)
}).pipe(withIdentifier("FieldMapping"))
export type FieldMapping = typeof FieldMapping.Type

/**
 * The size of a pipe: the number of replicas, and the CPU and memory of each. Contract: section 2.2.2.
 *
 * @example
 * ```ts
 * import type { Scaling } from "@headgate/core"
 *
 * // The memory of all replicas, in gigabytes.
 * export const memoryOf = ({ replicaMemoryGb, replicas }: Scaling): number => (replicas ?? 1) * (replicaMemoryGb ?? 0)
 * ```
 */
export const Scaling = looseStruct({
  concurrency: nullish(Schema.Int),
  replicas: nullish(Schema.Int),
  /** CPU of each replica, in millicores. */
  replicaCpuMillicores: nullish(Schema.Int),
  /** Memory of each replica, in gigabytes; may be fractional. */
  replicaMemoryGb: nullish(Schema.Finite)
}).pipe(withIdentifier("Scaling"))
export type Scaling = typeof Scaling.Type

/**
 * The fields of {@link Pipe}, to build a struct for a dialect or for a part of the fields. Contract: section 2.2.
 *
 * @example
 * ```ts
 * import { looseStruct, pipeFields } from "@headgate/core/adapter"
 *
 * // The columns of a table of pipes. The other fields are kept and not checked.
 * export const PipeRow = looseStruct({ id: pipeFields.id, name: pipeFields.name, state: pipeFields.state })
 * ```
 */
export const pipeFields = {
  id: PipeId,
  serviceId: ServiceId,
  name: Schema.String,
  state: PipeState,
  createdAt: nullish(Timestamp),
  updatedAt: nullish(Timestamp),
  destination: nullish(Destination),
  fieldMappings: nullish(Schema.Array(FieldMapping)),
  scaling: nullish(Scaling),
  settings: nullish(Settings),
  source: nullish(PipeSource)
}

/**
 * A pipe: it moves data continuously from a source into a table of a managed database service.
 *
 * `id`, `serviceId`, `name` and `state` are required; any other field may be absent or `null`, and stays so. Unknown fields
 * are kept. The contract (section 2.2) does not show which fields are required: this is decided.
 *
 * Encoding returns the decoded document with its secrets in plain text: send it, do not log it.
 *
 * @example
 * ```ts
 * import { Pipe } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * const document = {
 *   id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
 *   serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
 *   name: "orders",
 *   state: "Running",
 *   owner: "team-data" // an unknown field is kept
 * }
 * const pipe = Schema.decodeUnknownSync(Pipe)(document)
 * console.log(pipe.state, pipe.scaling?.replicas) // Running undefined
 * console.log(JSON.stringify(Schema.encodeSync(Pipe)(pipe)) === JSON.stringify(document)) // true
 * ```
 */
export const Pipe = looseStruct(pipeFields).pipe(withIdentifier("Pipe"))
export type Pipe = typeof Pipe.Type
