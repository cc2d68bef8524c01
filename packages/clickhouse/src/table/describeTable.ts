import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ClickHouse } from "../connection/ClickHouse.ts"
import { query } from "./query.ts"

/** A column that an insert may name, as the engine describes it. */
export interface Column {
  readonly name: string
  /** The type as the engine writes it. */
  readonly type: string
  /** Whether the table says what it holds when a row does not. */
  readonly hasDefault: boolean
}

const TableRow = Schema.Struct({
  engine: Schema.String,
  engineFull: Schema.String,
  comment: Schema.String,
  uuid: Schema.String
})

/** A table as the engine describes it. `engineFull`: the engine with its keys and settings. */
export type Table = typeof TableRow.Type

/** The table of a name; `undefined` if there is none. */
export const findTable = (engine: ClickHouse["Service"], database: string, table: string) =>
  Effect.map(
    query(
      engine,
      TableRow,
      "SELECT engine, engine_full AS engineFull, comment, toString(uuid) AS uuid FROM system.tables WHERE database = {database:String} AND name = {table:String}",
      { database, table }
    ),
    ([found]): Table | undefined => found
  )

const ColumnRow = Schema.Struct({ name: Schema.String, type: Schema.String, kind: Schema.String })

/** The columns of a table, and what tells it from another one of its name; neither of a table that is not there. */
export interface TableDescription {
  readonly columns: ReadonlyArray<Column>
  readonly table: Pick<Table, "comment" | "uuid"> | undefined
}

/** Reads what an insert depends on, in one statement. */
export const describeTable = (engine: ClickHouse["Service"], database: string, table: string) =>
  Effect.map(
    query(
      engine,
      ColumnRow,
      `SELECT name, type, kind FROM (
        SELECT name, type, default_kind AS kind, position FROM system.columns
        WHERE database = {database:String} AND table = {table:String} AND default_kind IN ('', 'DEFAULT')
        UNION ALL
        SELECT toString(uuid), comment, 'TABLE', 0 FROM system.tables
        WHERE database = {database:String} AND name = {table:String}
      ) ORDER BY position`,
      { database, table }
    ),
    (rows): TableDescription => {
      const found = rows.find(({ kind }) => kind === "TABLE")
      return {
        columns: rows.flatMap(({ kind, name, type }) =>
          kind === "TABLE" ? [] : [{ name, type, hasDefault: kind === "DEFAULT" }]
        ),
        table: found && { uuid: found.name, comment: found.type }
      }
    }
  )
