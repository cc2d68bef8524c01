import { WarehouseError, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ClickHouse } from "../connection/ClickHouse.ts"
import { fieldFailure, warehouseFailure } from "../connection/EngineFailure.ts"
import type { Column } from "../row/typeMapping.ts"

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
  engine.run(`${sql} FORMAT JSONEachRow`, parameters).pipe(
    Effect.mapError(refine),
    Effect.flatMap((answer) =>
      Effect.forEach(
        answer.split("\n").filter((line) => line.trim() !== ""),
        (line) => Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(row))(line), unexpected)
      )
    )
  )

/** Runs a statement that answers nothing. `refine` says what a failure means. */
export const execute = (
  engine: Engine,
  sql: string,
  refine = warehouseFailure
): Effect.Effect<void, WarehouseError | WarehouseRefused> => Effect.asVoid(Effect.mapError(engine.run(sql), refine))

/** A table as the engine describes it. */
export interface Table {
  readonly engine: string
  /** The engine with its keys and settings. */
  readonly engineFull: string
  readonly comment: string
}

const TableRow = Schema.Struct({ engine: Schema.String, engineFull: Schema.String, comment: Schema.String })

/** The table of a name; `undefined` if there is none. */
export const findTable = (engine: Engine, database: string, table: string) =>
  Effect.map(
    query(
      engine,
      TableRow,
      "SELECT engine, engine_full AS engineFull, comment FROM system.tables WHERE database = {database:String} AND name = {table:String}",
      { database, table }
    ),
    ([found]): Table | undefined => found
  )

const ColumnRow = Schema.Struct({ name: Schema.String, type: Schema.String, kind: Schema.String })

/** The columns that an insert may name. */
export const columnsOf = (engine: Engine, database: string, table: string) =>
  Effect.map(
    query(
      engine,
      ColumnRow,
      "SELECT name, type, default_kind AS kind FROM system.columns WHERE database = {database:String} AND table = {table:String} AND default_kind IN ('', 'DEFAULT') ORDER BY position",
      { database, table }
    ),
    (rows): ReadonlyArray<Column> =>
      rows.map(({ kind, name, type }) => ({ name, type, hasDefault: kind === "DEFAULT" }))
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
 * Fails if a table was altered since its columns were read: rows are checked against those, and the engine would put a value
 * into a column of another type in silence. The mover then opens the table again.
 */
export const checkUnaltered = Effect.fnUntraced(function* (
  engine: Engine,
  database: string,
  table: string,
  before: ReadonlyArray<Column>
) {
  const message = alteration(table, before, yield* columnsOf(engine, database, table))
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
