import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** Which table of a relational source goes to which destination table. Contract: section 2.2.4, `tableMappings[]`. */
export const TableMapping = openStruct({
  sourceSchemaName: absentOrNull(Schema.String),
  sourceTable: absentOrNull(Schema.String),
  targetTable: absentOrNull(Schema.String),
  excludedColumns: absentOrNull(Schema.Array(Schema.String)),
  sortingKeys: absentOrNull(Schema.Array(Schema.String)),
  useCustomSortingKey: absentOrNull(Schema.Boolean)
}).pipe(identified("TableMapping"))
/** What {@link TableMapping} decodes to. */
export type TableMapping = typeof TableMapping.Type
