import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** The engine of a destination table. Contract: section 2.2.1, `tableDefinition.engine`. */
export const TableEngine = openStruct({
  columnIds: absentOrNull(Schema.Array(Schema.String)),
  versionColumnId: absentOrNull(Schema.String)
}).pipe(identified("TableEngine"))
/** What {@link TableEngine} decodes to. */
export type TableEngine = typeof TableEngine.Type

/** How the destination table is laid out. Contract: section 2.2.1, `tableDefinition`. */
export const TableDefinition = openStruct({
  engine: absentOrNull(TableEngine),
  partitionBy: absentOrNull(Schema.String),
  primaryKey: absentOrNull(Schema.String),
  sortingKey: absentOrNull(Schema.Array(Schema.String))
}).pipe(identified("TableDefinition"))
/** What {@link TableDefinition} decodes to. */
export type TableDefinition = typeof TableDefinition.Type
