import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { Destination } from "./Destination.ts"
import { PipeSource } from "./PipeSource.ts"
import { Settings } from "./Settings.ts"
import { PipeId } from "../id/pipe.ts"
import { ServiceId } from "../id/service.ts"

/** The known states of a pipe. Contract: docs/wire-contract.md#documents. */
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
 * The current state of a pipe. Editors complete the known states, {@link pipeStates}, but any string is valid.
 * Contract: docs/wire-contract.md#documents.
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

/**
 * Maps a field of the source to a field of the destination. Contract: docs/wire-contract.md#fields-of-a-pipe,
 * `fieldMappings[]`.
 */
export const FieldMapping = looseStruct({
  sourceField: nullish(Schema.String, "The name of the field in the source."),
  destinationField: nullish(Schema.String, "The name of the column in the destination table.")
}).pipe(
  withIdentifier("FieldMapping", "A field of the source and the column of the destination table that receives it.")
)
export type FieldMapping = typeof FieldMapping.Type

/**
 * The size of a pipe: the number of replicas, and the CPU and memory of each. Contract: docs/wire-contract.md#scaling.
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
  concurrency: nullish(
    Schema.Int,
    "The number of files that an object storage pipe reads at once; 0 lets the service choose."
  ),
  replicas: nullish(Schema.Int, "The number of replicas."),
  replicaCpuMillicores: nullish(Schema.Int, "The CPU of each replica, in millicores."),
  replicaMemoryGb: nullish(Schema.Finite, "The memory of each replica, in gigabytes; may be fractional.")
}).pipe(withIdentifier("Scaling", "The number of replicas of a pipe, and the CPU and memory of each."))
export type Scaling = typeof Scaling.Type

/** The fields of {@link Pipe}. Contract: docs/wire-contract.md#fields-of-a-pipe. */
export const pipeFields = {
  id: PipeId,
  serviceId: ServiceId,
  name: Schema.String.annotate({ description: "The name of the pipe." }),
  state: PipeState.annotate({ description: "The current state of the pipe. New states may be added." }),
  createdAt: nullish(Timestamp, "The time at which the pipe was created."),
  updatedAt: nullish(Timestamp, "The time at which the pipe was last changed."),
  destination: nullish(Destination, "The table that the pipe writes to."),
  fieldMappings: nullish(
    Schema.Array(FieldMapping),
    "Which field of the source goes to which column of the destination table."
  ),
  scaling: nullish(Scaling, "The number and size of the replicas."),
  settings: nullish(Settings, "The settings that tune how the pipe reads and inserts."),
  source: nullish(PipeSource, "Where the pipe reads its data.")
}

/**
 * A pipe: it moves data continuously from a source into a table of a managed database service.
 *
 * `id`, `serviceId`, `name` and `state` are required; any other field may be absent or `null`, and stays so. Unknown
 * fields are kept. Contract: docs/wire-contract.md#fields-of-a-pipe.
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
export const Pipe = looseStruct(pipeFields).pipe(
  withIdentifier("Pipe", "A pipe, which continuously copies data from a source into a table.")
)
export type Pipe = typeof Pipe.Type
