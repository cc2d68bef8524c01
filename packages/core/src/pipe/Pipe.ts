import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { Destination } from "./Destination.ts"
import { PipeSource } from "./PipeSource.ts"
import { Settings } from "./Settings.ts"
import { PipeId, ServiceId } from "./ids.ts"

/** The states a pipe is known to take. The contract (section 3) shows none: these are decided. */
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
 * The current state of a pipe: an open string, since the contract (section 3) does not show the set of its values.
 * The known ones are {@link pipeStates}: editors complete them, and a state that is new to us is read all the same.
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

/** Which field of the source goes to which field of the destination. Contract: section 2.2, `fieldMappings[]`. */
export const FieldMapping = looseStruct({
  sourceField: nullish(Schema.String),
  destinationField: nullish(Schema.String)
}).pipe(withIdentifier("FieldMapping"))
export type FieldMapping = typeof FieldMapping.Type

/**
 * The size of a pipe: how many replicas, and how much each of them has. Contract: section 2.2.2.
 *
 * @example
 * ```ts
 * import type { Scaling } from "@headgate/core"
 *
 * // In gigabytes, of all replicas.
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
 * The fields of {@link Pipe}, for a dialect that builds its own struct from them, or a service that reads only some.
 * Contract: section 2.2.
 *
 * @example
 * ```ts
 * import { looseStruct, pipeFields } from "@headgate/core/adapter"
 *
 * // What a table of pipes shows: the other fields are kept and not looked at.
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
 * The contract (section 2.2) does not show which fields are required. A reader needs `id`, `serviceId`, `name` and
 * `state`; any other field may be absent or `null`, and stays as it was. Unknown fields are kept. Encoding gives back
 * the document that was decoded, with its secrets in clear: for the wire, not for a log.
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
 *   owner: "team-data" // no contract names it: kept all the same
 * }
 * const pipe = Schema.decodeUnknownSync(Pipe)(document)
 * console.log(pipe.state, pipe.scaling?.replicas) // Running undefined
 * console.log(JSON.stringify(Schema.encodeSync(Pipe)(pipe)) === JSON.stringify(document)) // true
 * ```
 */
export const Pipe = looseStruct(pipeFields).pipe(withIdentifier("Pipe"))
export type Pipe = typeof Pipe.Type
