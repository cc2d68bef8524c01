import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** Which field of the source goes to which field of the destination. Contract: section 2.2, `fieldMappings[]`. */
export const FieldMapping = openStruct({
  sourceField: absentOrNull(Schema.String),
  destinationField: absentOrNull(Schema.String)
}).pipe(identified("FieldMapping"))
/** What {@link FieldMapping} decodes to. */
export type FieldMapping = typeof FieldMapping.Type
