import { assert, describe, it } from "@effect/vitest"
import { type KindName, kinds } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import * as SqlClient from "effect/sql/SqlClient"
import { countColumns, kindTables, organizationRecords } from "../src/internal/tables.ts"
import { NodeSqlite, Postgres, SqlMigrations } from "../src/index.ts"
import { describePostgres } from "./support/postgres.ts"

/** A column of a table that all migrations made. `isUnique`: by itself. */
interface Column {
  readonly table: string
  readonly column: string
  readonly isPrimary: boolean
  readonly isUnique: boolean
}

type Row = { readonly [Field in keyof Column]: Column[Field] | number }

const readColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<Row>`
      SELECT t.relname AS "table", c.attname AS "column",
        EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = t.oid AND i.indisprimary AND i.indkey::text = c.attnum::text)
          AS "isPrimary",
        EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique AND i.indkey::text = c.attnum::text)
          AS "isUnique"
      FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
      WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace`,
    orElse: () => sql<Row>`
      SELECT t.name AS "table", c.name AS "column", c.pk = 1 AS "isPrimary", EXISTS (
        SELECT 1 FROM pragma_index_list(t.name) AS i
        WHERE i."unique" = 1 AND (SELECT group_concat(k.name) FROM pragma_index_info(i.name) AS k) = c.name
      ) AS "isUnique"
      FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`
  })
  return rows.map((row): Column => ({
    table: String(row.table),
    column: String(row.column),
    isPrimary: Boolean(row.isPrimary),
    isUnique: Boolean(row.isUnique)
  }))
})

const ownerColumns = { store: [], organization: ["organization_id"], service: ["organization_id", "service_id"] }

/**
 * Beside the kinds, these tables have rows of an organization. The deleted pipes of a warehouse outlive it until they are cleaned up. The
 * tables that pipes have opened outlive pipes and services.
 */
const records = [...organizationRecords, "deleted_pipe", "pipe_table"]

/** What a schema lacks of the tables and columns that `kinds` demands, and what it has and `kinds` does not know. */
const differences = (columns: ReadonlyArray<Column>): ReadonlyArray<string> => {
  const columnsOf = (table: string) => columns.filter((column) => column.table === table)
  const ofKind = (kind: KindName) => {
    const { identity, table } = kindTables[kind]
    const held = columnsOf(table)
    const named = (name: string) => held.find(({ column }) => column === name)
    const wanted = ["seq", "id", identity, ...ownerColumns[kinds[kind].owner]]
    const sealed = kinds[kind].secrets === undefined ? [] : ["credentials"]
    return [
      ...[...wanted, ...sealed].filter((name) => named(name) === undefined).map((name) => `${table} has no ${name}`),
      ...(named("seq")?.isPrimary === false ? [`the primary key of ${table} is not seq`] : []),
      ...[...new Set(["id", identity])]
        .filter((name) => named(name)?.isUnique === false)
        .map((name) => `${name} of ${table} is not unique`)
    ]
  }
  const tables = Struct.keys(kinds).map((kind) => kindTables[kind].table)
  const underService = Struct.keys(kinds).flatMap((kind) =>
    kinds[kind].owner === "service" ? [kindTables[kind].table] : []
  )
  const unknown = columns
    .filter(
      ({ column, table }) =>
        (column === "organization_id" && ![...tables, ...records].includes(table)) ||
        (column === "service_id" && ![...underService, "pipe_table"].includes(table))
    )
    .map(({ column, table }) => `${table} has ${column} and is no kind's table`)
  const counts = countColumns.map(([, column]) => column)
  const counted = columnsOf("organization_usage").map(({ column }) => column)
  const apart = ["organization_id", "document_bytes"]
  return [
    ...Struct.keys(kinds).flatMap(ofKind),
    ...unknown,
    ...counts
      .filter((column) => !counted.includes(column))
      .map((column) => `organization_usage does not count ${column}`),
    ...counted
      .filter((column) => ![...counts, ...apart].includes(column))
      .map((column) => `organization_usage counts ${column}, which is no kind`)
  ]
}

const agrees = Effect.gen(function* () {
  assert.deepStrictEqual(differences(yield* readColumns), [])
})

/** A comparison that finds nothing could be one that looks at nothing. */
const findsDifferences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE shelf (id TEXT, service_id TEXT, organization_id TEXT)`
  yield* sql`ALTER TABLE organization_usage ADD COLUMN shelves INTEGER`
  yield* sql`DROP TABLE alert`
  yield* sql`ALTER TABLE organization_usage DROP COLUMN alerts`
  yield* sql`CREATE TABLE alert (id TEXT, seq INTEGER)`
  assert.sameMembers(
    [...differences(yield* readColumns)],
    [
      "alert has no organization_id",
      "the primary key of alert is not seq",
      "id of alert is not unique",
      "shelf has service_id and is no kind's table",
      "shelf has organization_id and is no kind's table",
      "organization_usage does not count alerts",
      "organization_usage counts shelves, which is no kind"
    ]
  )
})

describe("the kinds and the tables that all migrations make", () => {
  const migrated = Layer.provideMerge(SqlMigrations.layer, Layer.fresh(NodeSqlite.layer({ filename: ":memory:" })))

  it.live("agree", () => Effect.provide(agrees, migrated))

  it.live("are compared: a table, a column, a key or a count too much or too little is found", () =>
    Effect.provide(findsDifferences, migrated)
  )
})

describePostgres("the kinds and the tables that all migrations make in Postgres", (postgres) => {
  const inDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.gen(function* () {
      const { createDatabase } = yield* postgres
      const url = yield* createDatabase
      return yield* Effect.provide(effect, Layer.fresh(Postgres.layer({ url })))
    }).pipe(Effect.scoped)

  it.live("agree", () => inDatabase(agrees))

  it.live("are compared: a table, a column, a key or a count too much or too little is found", () =>
    inDatabase(findsDifferences)
  )
})
