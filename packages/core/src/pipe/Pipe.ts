import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { Destination } from "./Destination.ts"
import { FieldMapping } from "./FieldMapping.ts"
import { PipeId } from "./PipeId.ts"
import { PipeSource } from "./PipeSource.ts"
import { PipeState } from "./PipeState.ts"
import { Scaling } from "./Scaling.ts"
import { ServiceId } from "./ServiceId.ts"
import { Settings } from "./Settings.ts"

/**
 * The fields of {@link Pipe}, for a dialect that builds its own struct from them, or a service that reads only some.
 * Contract: section 2.2.
 *
 * @example
 * ```ts
 * import { pipeFields } from "@headgate/core/pipe"
 * import { openStruct } from "@headgate/core/schema"
 *
 * // What a table of pipes shows: the other fields are kept and not looked at.
 * export const PipeRow = openStruct({ id: pipeFields.id, name: pipeFields.name, state: pipeFields.state })
 * ```
 */
export const pipeFields = {
  id: PipeId,
  serviceId: ServiceId,
  name: Schema.String,
  state: PipeState,
  createdAt: absentOrNull(Timestamp),
  updatedAt: absentOrNull(Timestamp),
  destination: absentOrNull(Destination),
  fieldMappings: absentOrNull(Schema.Array(FieldMapping)),
  scaling: absentOrNull(Scaling),
  settings: absentOrNull(Settings),
  source: absentOrNull(PipeSource)
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
 * import { Pipe } from "@headgate/core/pipe"
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
export const Pipe = openStruct(pipeFields).pipe(identified("Pipe"))
/** What {@link Pipe} decodes to. */
export type Pipe = typeof Pipe.Type
