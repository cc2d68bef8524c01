import {
  type ClickHouse,
  type Column,
  commentOf,
  creatorOf,
  isOwnName,
  knownBy,
  newMark,
  quoteIdentifier,
  quoteString,
  quoteTable,
  type Table
} from "@headgate/clickhouse"
import type { Destination as PipeDestination, PipeId } from "@headgate/core"
import { type KnownTables, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { fieldFailure, isOfUser, warehouseFailure } from "../connection/warehouseFailure.ts"
import { keyExpression } from "../sql/keyExpression.ts"
import { checkKnown, defaultWindows, execute, findTable, readTable, typeName } from "./describeTable.ts"
import { alterWindow, destinationOf, memoryOf, windowOf, windowSetting } from "./guarantee.ts"

type Engine = ClickHouse["Service"]

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

// The engine stores a table in a folder of its name, escaped.
const longestName = 128

/** The names of the destination, or what is wrong with them. */
export const checkName = (path: string, name: string | null | undefined): Effect.Effect<string, WarehouseRefused> => {
  if (name === undefined || name === null || name === "") return refuse(`${path}: Missing: it is required`)
  if (name.length > longestName) return refuse(`${path}: Expected at most ${longestName} characters`)
  return name.includes("\0") ? refuse(`${path}: Expected no NUL character`) : Effect.succeed(name)
}

/**
 * The name of a table that rows go to, or what is wrong with it. All pipes of a database share its log: a pipe that wrote into it would
 * say where the others are.
 */
export const checkTableName = (path: string, name: string | null | undefined) =>
  Effect.filterOrFail(
    checkName(path, name),
    (checked) => !isOwnName(checked),
    () => new WarehouseRefused({ message: `${path}: Expected a name that does not begin with headgate_` })
  )

// A table has no more: each one is part of the address of an insert.
const mostColumns = 1000

/** The columns of the destination: names and the caller's texts of types. */
export const wantedColumns = Effect.fnUntraced(function* ({ columns }: PipeDestination) {
  const given = columns ?? []
  if (given.length > mostColumns) return yield* refuse(`destination.columns: Expected at most ${mostColumns} columns`)
  const wanted = yield* Effect.forEach(given, ({ name, type }, index) =>
    Effect.map(checkName(`destination.columns[${index}].name`, name), (name) => ({
      name,
      type: type ?? "",
      path: `destination.columns[${index}].type`
    }))
  )
  const names = new Set(wanted.map(({ name }) => name))
  return names.size < wanted.length ? yield* refuse("destination.columns: Expected each name once") : wanted
})

const key = (
  path: string,
  expression: string,
  columns: ReadonlySet<string>
): Effect.Effect<string, WarehouseRefused> => {
  // The name of a column is one, whatever characters it holds.
  if (columns.has(expression)) return Effect.succeed(quoteIdentifier(expression))
  return Result.match(keyExpression(expression, columns), {
    onSuccess: (written) => Effect.succeed(written),
    onFailure: (message) => refuse(`${path}: ${message}`)
  })
}

const engines = new Map<string, ReadonlyArray<"versionColumnId" | "columnIds">>([
  ["MergeTree", []],
  ["ReplacingMergeTree", ["versionColumnId"]],
  ["SummingMergeTree", ["columnIds"]],
  ["Null", []]
])

const path = "destination.tableDefinition"

/** The engine of a new table with its arguments: `ReplacingMergeTree(version)`. */
const engineText = Effect.fnUntraced(function* (
  engine: NonNullable<PipeDestination["tableDefinition"]>["engine"],
  type: string,
  names: ReadonlySet<string>
) {
  const takes = engines.get(type)
  if (takes === undefined)
    return yield* refuse(`${path}.engine.type: Expected ${Array.from(engines.keys()).join(", ")}`)
  if (type === "Null") return type
  const column = (field: string, name: string) =>
    names.has(name)
      ? Effect.succeed(quoteIdentifier(name))
      : refuse(`${path}.engine.${field}: Expected a column, got ${name}`)
  const version = engine?.versionColumnId
  const sums = engine?.columnIds ?? []
  const engineArguments: Array<string> = []
  if (takes.includes("versionColumnId") && typeof version === "string" && version !== "") {
    engineArguments.push(yield* column("versionColumnId", version))
  }
  if (takes.includes("columnIds") && sums.length > 0) {
    const columns = yield* Effect.forEach(sums, (name) => column("columnIds", name))
    engineArguments.push(`(${columns.join(", ")})`)
  }
  return `${type}(${engineArguments.join(", ")})`
})

/** The statement that creates the destination table. The types are the engine's own texts. */
export const createTable = Effect.fnUntraced(function* (
  pipeId: string,
  destination: PipeDestination,
  database: string,
  table: string,
  columns: ReadonlyArray<{ readonly name: string; readonly type: string }>,
  window: number,
  mark: string
) {
  if (columns.length === 0) return yield* refuse("destination.columns: Missing: it is required to create the table")
  const definition = destination.tableDefinition ?? {}
  const names = new Set(columns.map(({ name }) => name))
  const type = definition.engine?.type ?? "MergeTree"
  const engine = yield* engineText(definition.engine, type, names)
  if (typeof definition.ttl === "string" && definition.ttl.trim() !== "") {
    return yield* refuse(`${path}.ttl: Expected none: make the table with its TTL before the pipe`)
  }
  const sorting = yield* Effect.forEach(definition.sortingKey ?? [], (one, index) =>
    key(`${path}.sortingKey[${index}]`, one, names).pipe(
      Effect.filterOrFail(
        (written) => written.includes("`"),
        () =>
          new WarehouseRefused({
            message: `${path}.sortingKey[${index}]: Expected an expression over a column, got ${one}`
          })
      )
    )
  )
  const optional = (field: "partitionBy" | "primaryKey", clause: string) => {
    const expression = definition[field]
    return typeof expression === "string" && expression.trim() !== ""
      ? Effect.map(key(`${path}.${field}`, expression, names), (written) => [`${clause} ${written}`])
      : Effect.succeed([])
  }
  const keys =
    type === "Null"
      ? []
      : [
          ...(yield* optional("partitionBy", "PARTITION BY")),
          ...(yield* optional("primaryKey", "PRIMARY KEY")),
          `ORDER BY (${sorting.join(", ")})`,
          `SETTINGS ${windowSetting("by itself")} = ${window}`
        ]
  return [
    `CREATE TABLE IF NOT EXISTS ${quoteTable(database, table)}`,
    `(${columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(", ")})`,
    `ENGINE = ${engine}`,
    ...keys,
    `COMMENT ${quoteString(commentOf(pipeId, mark))}`
  ].join(" ")
})

/** Fails with what to do if the database does not exist. */
export const checkDatabase = (engine: Engine, database: string) =>
  engine.run(`EXISTS DATABASE ${quoteIdentifier(database)} FORMAT TSV`).pipe(
    Effect.mapError(warehouseFailure),
    Effect.flatMap((answer) =>
      answer.trim() === "1"
        ? Effect.void
        : refuse(`destination.database: ${database} does not exist: CREATE DATABASE ${quoteIdentifier(database)}`)
    )
  )

/** The columns that the pipe writes to: those of its destination, as the table has them, or all. */
const writtenColumns = Effect.fnUntraced(function* (
  columns: ReadonlyArray<Column>,
  wanted: ReadonlyArray<{ readonly name: string; readonly type: string; readonly path: string }>
) {
  const found = new Map(columns.map((column) => [column.name, column] as const))
  for (const { name, path, type } of wanted) {
    const column = found.get(name)
    if (column === undefined) return yield* refuse(`${path}: the table has no column ${name} that takes rows`)
    if (column.type !== type) {
      return yield* refuse(`${path}: column ${name} of the table is ${column.type}, and the pipe's is ${type}`)
    }
  }
  const names = new Set(wanted.map(({ name }) => name))
  return names.size === 0 ? columns : columns.filter(({ name }) => names.has(name))
})

/** Makes the table remember enough inserts, if the pipe created it. */
const checkWindow = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: PipeId,
  database: string,
  name: string,
  table: Table,
  remembered: number,
  window: number
) {
  const memory = memoryOf(table.engine)
  if (memory === "not at all" || remembered >= window) return
  const statement = alterWindow(database, name, memory, window)
  if (creatorOf(table) === pipeId) return yield* execute(engine, statement)
  return yield* refuse(
    `the table remembers ${remembered} inserts (${windowSetting(memory)}) and the pipe needs ${window} to insert each row once. The pipe did not create the table, so run: ${statement}`
  )
})

/** The columns of the destination with the types as the engine writes them. */
const typedColumns = Effect.fnUntraced(function* (engine: Engine, destination: PipeDestination) {
  return yield* Effect.forEach(yield* wantedColumns(destination), (column) =>
    Effect.map(typeName(engine, column.path, column.type), (type) => ({ ...column, type }))
  )
})

/**
 * Fails with `WarehouseRefused`, whose message begins with the field, if the destination cannot be opened by what it says. Nothing is
 * left behind: a table that is not there is created as a temporary one, which no other connection sees and which ends with this one.
 */
export const checkDestination = Effect.fnUntraced(function* (engine: Engine, destination: PipeDestination) {
  const database = destination.database ?? engine.database
  const name = yield* checkTableName("destination.table", destination.table)
  const wanted = yield* typedColumns(engine, destination)
  const existing = yield* findTable(engine, database, name)
  if (existing !== undefined) {
    yield* writtenColumns((yield* readTable(engine, database, name)).columns, wanted)
    return
  }
  if (destination.managedTable !== true) return
  const temporary = quoteIdentifier(`headgate_check_${yield* newMark}`)
  const statement = yield* createTable("", destination, database, name, wanted, 1, "0")
  const permanent = `CREATE TABLE IF NOT EXISTS ${quoteTable(database, name)}`
  yield* Effect.ensuring(
    execute(engine, `CREATE TEMPORARY TABLE ${temporary}${statement.slice(permanent.length)}`, (failure) =>
      isOfUser(failure) || failure.message.includes("emporary")
        ? warehouseFailure(failure)
        : fieldFailure("destination.tableDefinition")(failure)
    ),
    Effect.ignore(engine.run(`DROP TEMPORARY TABLE IF EXISTS ${temporary}`))
  )
})

/** Creates the destination table, or checks the one that exists. */
export const openTable = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: PipeId,
  destination: PipeDestination,
  database: string,
  name: string,
  window: number,
  known?: KnownTables
) {
  yield* checkDatabase(engine, database)
  const wanted = yield* typedColumns(engine, destination)
  const existing = yield* findTable(engine, database, name)
  yield* checkKnown("destination.table", name, known?.get(name), existing)
  if (existing === undefined) {
    if (destination.managedTable !== true) {
      return yield* refuse(`destination.table: ${name} does not exist, and managedTable is not true`)
    }
    const statement = yield* createTable(pipeId, destination, database, name, wanted, window, yield* newMark)
    yield* execute(engine, statement, fieldFailure("destination: the table cannot be created"))
  }
  const table = existing ?? (yield* findTable(engine, database, name))
  if (table === undefined) return yield* refuse(`destination.table: ${name} was dropped while the pipe opened it`)
  const memory = memoryOf(table.engine)
  const defaults = yield* defaultWindows(engine, memory === "in Keeper")
  yield* checkWindow(engine, pipeId, database, name, table, windowOf(table, defaults), window)
  const all = yield* readTable(engine, database, name)
  const opened = { tables: new Map([[name, knownBy(table)]]), isCreated: creatorOf(table) === pipeId }
  const promise = { ...destinationOf(table, defaults), ...opened }
  return { all, memory, columns: yield* writtenColumns(all.columns, wanted), promise }
})
