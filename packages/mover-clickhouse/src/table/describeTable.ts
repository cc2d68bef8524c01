import {
  type ClickHouse,
  type Column,
  creatorOf,
  describeTable,
  findTable as findEngineTable,
  isSameTable,
  knownBy,
  query as runQuery,
  type Table
} from "@headgate/clickhouse"
import { resumeBy, WarehouseError, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fieldFailure, warehouseFailure } from "../connection/warehouseFailure.ts"

type Engine = ClickHouse["Service"]

const unexpected = () => new WarehouseError({ message: "the warehouse answered something else than was asked for" })

/** Runs a query whose rows have these fields. `refine` says what a failure means. */
export const query = <A>(
  engine: Engine,
  row: Schema.Codec<A, unknown>,
  sql: string,
  parameters: Readonly<Record<string, string>> = {},
  refine = warehouseFailure
): Effect.Effect<ReadonlyArray<A>, WarehouseError | WarehouseRefused> =>
  Effect.mapError(runQuery(engine, row, sql, parameters), refine)

/** Runs a statement that answers nothing. `refine` says what a failure means. */
export const execute = (
  engine: Engine,
  sql: string,
  refine = warehouseFailure
): Effect.Effect<void, WarehouseError | WarehouseRefused> => Effect.asVoid(Effect.mapError(engine.run(sql), refine))

/** The table of a name; `undefined` if there is none. */
export const findTable = (engine: Engine, database: string, table: string) =>
  Effect.mapError(findEngineTable(engine, database, table), warehouseFailure)

/** Fails if a table that the pipe has written to is gone, or another one has its name now. */
export const checkKnown = Effect.fnUntraced(function* (
  path: string,
  name: string,
  known: string | undefined,
  existing: Table | undefined
) {
  if (known === undefined || (existing !== undefined && isSameTable(known, knownBy(existing)))) return
  const what = existing === undefined ? "is gone" : "is another one than the one that this pipe has written to"
  return yield* new WarehouseRefused({
    message: `${path}: ${name} ${what}: somebody has dropped, exchanged or renamed it. Put it back and start the pipe, or go on with ${existing === undefined ? "a new one" : "the one that is there"}: ${resumeBy({ acceptTable: true })}`
  })
})

/** A table as an insert sees it. */
export interface InsertedTable {
  /** The columns that an insert may name. */
  readonly columns: ReadonlyArray<Column>
  /** What tells it from another table of its name. */
  readonly knownBy: string
  /** See {@link creatorOf}. */
  readonly creator?: string | undefined
}

/** Reads what an insert depends on, in one statement. A table that is gone has no columns. */
export const readTable = (engine: Engine, database: string, name: string) =>
  describeTable(engine, database, name).pipe(
    Effect.mapError(warehouseFailure),
    Effect.map(({ columns, table }): InsertedTable =>
      table === undefined ? { columns, knownBy: "" } : { columns, knownBy: knownBy(table), creator: creatorOf(table) }
    )
  )

const describeChanges = (before: ReadonlyArray<Column>, now: ReadonlyArray<Column>): ReadonlyArray<string> => {
  const [old, found] = [before, now].map((columns) => new Map(columns.map((column) => [column.name, column] as const)))
  const changed = before.flatMap(({ hasDefault, name, type }) => {
    const is = found?.get(name)
    if (is === undefined) return [`column ${name} was dropped`]
    if (is.type !== type) return [`column ${name} was ${type} and is ${is.type}`]
    if (is.hasDefault === hasDefault) return []
    return [`column ${name} has ${hasDefault ? "no default any more" : "a default now"}`]
  })
  return [...changed, ...now.flatMap(({ name }) => (old?.has(name) === true ? [] : [`column ${name} was added`]))]
}

/** What somebody has altered about the columns of a table; `undefined` for nothing. */
export const alteration = (table: string, before: ReadonlyArray<Column>, now: ReadonlyArray<Column>) => {
  const changes = describeChanges(before, now)
  return changes.length === 0 ? undefined : `the table ${table} was altered: ${changes.join(", ")}`
}

/**
 * Fails if a table was altered, or is another one, since it was read: rows are checked against those, and the engine would put a value
 * into a column of another type in silence. The mover then opens the table again.
 */
export const checkUnaltered = Effect.fnUntraced(function* (
  engine: Engine,
  database: string,
  table: string,
  before: InsertedTable
) {
  const now = yield* readTable(engine, database, table)
  const message =
    alteration(table, before.columns, now.columns) ??
    (isSameTable(before.knownBy, now.knownBy) ? undefined : `the table ${table} is another one than before`)
  if (message !== undefined) return yield* new WarehouseError({ message })
})

const TypeRow = Schema.Struct({ type: Schema.String })

// `toTypeName` writes the elements of a Tuple on lines of their own, and no other list of types does.
const onOneLine = (type: string): string =>
  type.replaceAll(/(?<before>[(,])\n +/g, (_, before: string) => (before === "(" ? before : `${before} `))

/** A data type as the engine writes it. What is none is refused: nothing of the caller's text reaches another statement. */
export const typeName = Effect.fnUntraced(function* (engine: Engine, path: string, type: string) {
  const sql = "SELECT toTypeName(defaultValueOfTypeName({type:String})) AS type"
  const [row] = yield* query(engine, TypeRow, sql, { type }, fieldFailure(path))
  return row === undefined ? yield* unexpected() : onOneLine(row.type)
})

const SettingRow = Schema.Struct({ name: Schema.String, value: Schema.String })

/** The values of those of these settings that the engine has. */
export const knownSettings = (engine: Engine, names: ReadonlyArray<string>) =>
  Effect.map(
    query(
      engine,
      SettingRow,
      "SELECT name, value FROM system.settings WHERE has(splitByChar(',', {names:String}), name)",
      { names: names.join(",") }
    ),
    (rows): ReadonlyMap<string, string> => new Map(rows.map(({ name, value }) => [name, value]))
  )

/** The settings of deduplication that tables have by default. */
export const defaultWindows = (engine: Engine, isReplicated: boolean) =>
  Effect.map(
    query(
      engine,
      SettingRow,
      `SELECT name, toString(value) AS value FROM system.${isReplicated ? "replicated_" : ""}merge_tree_settings WHERE name LIKE '%replicated_deduplication_window%'`
    ),
    (rows): ReadonlyMap<string, string> => new Map(rows.map(({ name, value }) => [name, value]))
  )

/** A table that is to be written to, whether it is there or not. */
export interface FoundTable {
  readonly name: string
  /** The pipe that created it; `undefined` if no pipe did, or if it is not there. */
  readonly creator: string | undefined
}

/** Fails if a table is not one that the pipe may write to. */
export type CheckOwner = (tables: ReadonlyArray<FoundTable>) => Effect.Effect<void, WarehouseError | WarehouseRefused>

const CommentRow = Schema.Struct({ name: Schema.String, comment: Schema.String })

/** Which pipes have created these tables of a database; without one, of that of the engine. */
export const findTables = (engine: Engine, names: ReadonlyArray<string>, database = engine.database) =>
  Effect.map(
    query(
      engine,
      CommentRow,
      "SELECT name, comment FROM system.tables WHERE database = {database:String} AND has(JSONExtract({names:String}, 'Array(String)'), name)",
      { database, names: JSON.stringify(names) }
    ),
    (rows): ReadonlyArray<FoundTable> => {
      const found = new Map(rows.map((row) => [row.name, creatorOf(row)] as const))
      return names.map((name) => ({ name, creator: found.get(name) }))
    }
  )
