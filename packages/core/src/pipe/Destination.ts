import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { TableDefinition } from "./TableDefinition.ts"

/** A column of the destination table. Contract: section 2.2.1, `columns[]`. */
export const DestinationColumn = openStruct({
  name: absentOrNull(Schema.String),
  type: absentOrNull(Schema.String)
}).pipe(identified("DestinationColumn"))
/** What {@link DestinationColumn} decodes to. */
export type DestinationColumn = typeof DestinationColumn.Type

/** The table a pipe writes to. Contract: section 2.2.1. */
export const Destination = openStruct({
  database: absentOrNull(Schema.String),
  table: absentOrNull(Schema.String),
  managedTable: absentOrNull(Schema.Boolean),
  columns: absentOrNull(Schema.Array(DestinationColumn)),
  tableDefinition: absentOrNull(TableDefinition)
}).pipe(identified("Destination"))
/** What {@link Destination} decodes to. */
export type Destination = typeof Destination.Type
