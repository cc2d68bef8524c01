import {
  type ClickHouse,
  commentOf,
  creatorOf,
  newMark,
  quoteIdentifier,
  quoteString,
  quoteTable,
  replacesByVersion,
  type Table
} from "@headgate/clickhouse"
import type { PipeId } from "@headgate/core"
import { type OpenedTable, type SourceTable, versionColumns, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fieldFailure } from "../connection/warehouseFailure.ts"
import { keyExpression } from "../sql/keyExpression.ts"
import { checkKnown, execute, findTable, query, readTable, typeName } from "./describeTable.ts"

type Engine = ClickHouse["Service"]

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

const { isDeleted, syncedAt, version } = versionColumns

/** The columns that every versioned table has. `_peerdb_synced_at` is written by the engine. */
const ownColumns = [
  { name: syncedAt, type: "DateTime64(9)", suffix: " DEFAULT now64(9)" },
  { name: isDeleted, type: "Int8", suffix: "" },
  { name: version, type: "Int64", suffix: "" }
]

const createStatement = Effect.fnUntraced(function* (pipeId: PipeId, table: SourceTable, database: string) {
  const columns = [
    ...table.columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`),
    ...ownColumns.map(({ name, suffix, type }) => `${quoteIdentifier(name)} ${type}${suffix}`)
  ]
  const partition =
    table.partitionBy === undefined
      ? []
      : yield* Result.match(keyExpression(table.partitionBy, new Set(table.columns.map(({ name }) => name))), {
          onSuccess: (written) => Effect.succeed([`PARTITION BY ${written}`]),
          onFailure: (message) => refuse(`partitionByExpr of ${table.target}: ${message}`)
        })
  return [
    `CREATE TABLE IF NOT EXISTS ${quoteTable(database, table.target)} (${columns.join(", ")})`,
    `ENGINE = ReplacingMergeTree(${quoteIdentifier(version)})`,
    ...partition,
    `ORDER BY (${table.key.map(quoteIdentifier).join(", ")})`,
    `COMMENT ${quoteString(commentOf(pipeId, yield* newMark))}`
  ].join(" ")
})

const KeyRow = Schema.Struct({ sortingKey: Schema.String })

const sortingKey = (engine: Engine, database: string, table: string) =>
  Effect.map(
    query(
      engine,
      KeyRow,
      "SELECT sorting_key AS sortingKey FROM system.tables WHERE database = {database:String} AND name = {table:String}",
      { database, table }
    ),
    ([row]) => row?.sortingKey ?? ""
  )

const KeyTextRow = Schema.Struct({ text: Schema.String })

/** A key as the engine writes it: it quotes only the names that need it. */
const keyText = (engine: Engine, key: ReadonlyArray<string>) =>
  Effect.map(
    query(engine, KeyTextRow, "SELECT formatQuerySingleLine({sql:String}) AS text", {
      sql: `SELECT ${key.map(quoteIdentifier).join(", ")}`
    }),
    ([row]) => (row?.text ?? "").replace(/^SELECT\s+/, "")
  )

/** A key without what the engine writes around names, in one release or another. */
const bare = (key: string): string => key.replaceAll(/[`()]/g, "")

const VersionRow = Schema.Struct({ rows: Schema.FiniteFromString, version: Schema.BigIntFromString })

/** The highest version in a table; `undefined` if it has no row. */
const lastVersionOf = (engine: Engine, table: string) =>
  Effect.map(
    query(
      engine,
      VersionRow,
      `SELECT toString(count()) AS rows, toString(max(${quoteIdentifier(version)})) AS version FROM ${table}`
    ),
    ([row]) => (row === undefined || row.rows === 0 ? undefined : row.version)
  )

/** The columns of a table that exists. Its engine, what it is sorted by and the mover's own columns are checked. */
const checkExisting = Effect.fnUntraced(function* (
  engine: Engine,
  table: OpenedTable,
  database: string,
  existing: Table
) {
  if (!replacesByVersion(existing, version)) {
    return yield* refuse(
      `the table ${table.target} is ${existing.engine}: a table that receives changes has ENGINE = ReplacingMergeTree(${version})`
    )
  }
  const [has, wants] = [yield* sortingKey(engine, database, table.target), yield* keyText(engine, table.key)]
  if (bare(has) !== bare(wants)) {
    return yield* refuse(
      `the table ${table.target} is sorted by (${has}), and the rows of ${table.name} differ in (${wants})`
    )
  }
  const found = new Map(
    (yield* readTable(engine, database, table.target)).columns.map(({ name, type }) => [name, type])
  )
  for (const own of ownColumns) {
    if (!found.has(own.name)) return yield* refuse(`the table ${table.target} has no column ${own.name} ${own.type}`)
  }
  return found
})

/** Whether a column is copied: the table has it in its type `has`, or gets it here. */
const openColumn = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: PipeId,
  table: OpenedTable,
  name: string,
  existing: Table,
  column: OpenedTable["columns"][number],
  has: string | undefined
) {
  const type = yield* typeName(engine, `column ${column.name} of ${table.name}`, column.type)
  if (has !== undefined && has !== type) {
    return yield* refuse(
      `column ${column.name} of the table ${table.target} is ${has}, and that of ${table.name} is ${type}`
    )
  }
  if (has === undefined && table.isNew) {
    const statement = `ALTER TABLE ${name} ADD COLUMN ${quoteIdentifier(column.name)} ${type}`
    if (creatorOf(existing) !== pipeId) {
      return yield* refuse(
        `the table ${table.target} has no column ${column.name}. The pipe did not create it, so run: ${statement}`
      )
    }
    yield* execute(engine, statement)
  }
  return has !== undefined || table.isNew
})

/**
 * Creates the table that receives a source's table, or checks the one that exists. Its columns are those that are copied: both
 * have them. A column is added only to a table that a pipe created and into which nothing was copied yet.
 */
export const openVersionedTable = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: PipeId,
  table: OpenedTable,
  database: string,
  known: string | undefined
) {
  const name = quoteTable(database, table.target)
  const existing = yield* findTable(engine, database, table.target)
  if (existing === undefined && !table.isNew) {
    return yield* refuse(
      `the table ${table.target} is gone: it was dropped, or has another name now. A resync creates it and copies ${table.name} again: headgate pipe resync NAME`
    )
  }
  if (!table.isNew) yield* checkKnown("targetTable", table.target, known, existing)
  if (existing === undefined) {
    const statement = yield* createStatement(pipeId, table, database)
    yield* execute(engine, statement, fieldFailure(`the table ${table.target} cannot be created`))
    return { columns: table.columns }
  }
  const found = yield* checkExisting(engine, table, database, existing)
  const copied = []
  for (const column of table.columns) {
    if (yield* openColumn(engine, pipeId, table, name, existing, column, found.get(column.name))) copied.push(column)
  }
  const names = new Set([...table.columns, ...ownColumns].map(({ name }) => name))
  const gone = Array.from(found.keys()).find((name) => !names.has(name))
  if (gone !== undefined && creatorOf(existing) === pipeId) {
    return yield* refuse(
      `the table ${table.target} has a column ${gone}, which ${table.name} lacks: it was dropped or renamed there, or added here. To go on without it, run: ALTER TABLE ${name} DROP COLUMN ${quoteIdentifier(gone)}`
    )
  }
  const lastVersion = table.isNew ? yield* lastVersionOf(engine, name) : undefined
  return { columns: copied, ...(lastVersion === undefined ? {} : { lastVersion }) }
})
