import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString } from "../schema/fieldSchemas.ts"

/** The known engines of a destination table. */
export const tableEngines = ["MergeTree", "ReplacingMergeTree", "SummingMergeTree", "Null"] as const

// Contract: docs/wire-contract.md#destination, `tableDefinition.engine`.
const TableEngine = looseStruct({
  type: nullish(knownString(tableEngines), "The name of the engine."),
  columnIds: nullish(Schema.Array(Schema.String), "The names of the columns that a SummingMergeTree table adds up."),
  versionColumnId: nullish(Schema.String, "The name of the version column of a ReplacingMergeTree table.")
}).pipe(withIdentifier("TableEngine", "The engine of a destination table."))
type TableEngine = typeof TableEngine.Type

// Contract: docs/wire-contract.md#destination, `tableDefinition`.
const TableDefinition = looseStruct({
  engine: nullish(TableEngine, "The engine of the table."),
  partitionBy: nullish(Schema.String, "The partition key, as an SQL expression."),
  primaryKey: nullish(Schema.String, "The primary key, as an SQL expression."),
  sortingKey: nullish(Schema.Array(Schema.String), "The columns of the sorting key, in order."),
  ttl: nullish(Schema.String, "When rows are removed, as an SQL expression.")
}).pipe(withIdentifier("TableDefinition", "The layout of a destination table."))
type TableDefinition = typeof TableDefinition.Type

// Contract: docs/wire-contract.md#destination, `columns[]`.
const DestinationColumn = looseStruct({
  name: nullish(Schema.String, "The name of the column."),
  type: nullish(Schema.String, "The data type of the column, as the database writes it.")
}).pipe(withIdentifier("DestinationColumn", "A column of a destination table."))
type DestinationColumn = typeof DestinationColumn.Type

/** The table that a pipe writes to. Contract: docs/wire-contract.md#destination. */
export const Destination = looseStruct({
  database: nullish(Schema.String, "The name of the database."),
  table: nullish(Schema.String, "The name of the table."),
  managedTable: nullish(Schema.Boolean, "Whether the pipe creates and manages the table."),
  columns: nullish(Schema.Array(DestinationColumn), "The columns of the table."),
  tableDefinition: nullish(TableDefinition, "The layout of the table."),
  roles: nullish(Schema.Array(Schema.String), "The roles that the pipe has in the database. Absent: the default role.")
}).pipe(withIdentifier("Destination", "The table that a pipe writes to."))
export type Destination = typeof Destination.Type
