import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"

/** The engine of a destination table. Contract: section 2.2.1, `tableDefinition.engine`. */
const TableEngine = looseStruct({
  columnIds: nullish(Schema.Array(Schema.String)),
  versionColumnId: nullish(Schema.String)
}).pipe(withIdentifier("TableEngine"))
type TableEngine = typeof TableEngine.Type

/** The layout of the destination table. Contract: section 2.2.1, `tableDefinition`. */
const TableDefinition = looseStruct({
  engine: nullish(TableEngine),
  partitionBy: nullish(Schema.String),
  primaryKey: nullish(Schema.String),
  sortingKey: nullish(Schema.Array(Schema.String))
}).pipe(withIdentifier("TableDefinition"))
type TableDefinition = typeof TableDefinition.Type

/** A column of the destination table. Contract: section 2.2.1, `columns[]`. */
const DestinationColumn = looseStruct({
  name: nullish(Schema.String),
  type: nullish(Schema.String)
}).pipe(withIdentifier("DestinationColumn"))
type DestinationColumn = typeof DestinationColumn.Type

/** The table that a pipe writes to. Contract: section 2.2.1. */
export const Destination = looseStruct({
  database: nullish(Schema.String),
  table: nullish(Schema.String),
  managedTable: nullish(Schema.Boolean),
  columns: nullish(Schema.Array(DestinationColumn)),
  tableDefinition: nullish(TableDefinition)
}).pipe(withIdentifier("Destination"))
export type Destination = typeof Destination.Type
