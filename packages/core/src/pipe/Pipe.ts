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

/** The fields of {@link Pipe}, for a dialect that builds its own struct from them. */
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
 * `state`; any other field may be absent or `null`, and stays as it was. Unknown fields are kept.
 *
 * @example
 * ```ts
 * import { Pipe } from "@headgate/core/pipe"
 * import * as Schema from "effect/Schema"
 *
 * const pipe = Schema.decodeUnknownSync(Pipe)(JSON.parse(text))
 * pipe.scaling?.replicas // number | null | undefined
 * ```
 */
export const Pipe = openStruct(pipeFields).pipe(identified("Pipe"))
export type Pipe = typeof Pipe.Type
