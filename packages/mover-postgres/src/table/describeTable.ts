import { CannotContinue, type SourceTable, versionColumns } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import type { PostgresOptions, PostgresTable } from "../options/PostgresOptions.ts"
import { query } from "../protocol/Connection.ts"
import { quoteTable } from "../protocol/quote.ts"
import { definitionText, readDefinitions, type TableDefinition } from "./TableDefinition.ts"
import { typeMapping, type TypeMapping } from "./typeMapping.ts"

/** A column that is copied. */
export interface DescribedColumn {
  readonly name: string
  /** The number of its type, and what the type is limited to. */
  readonly typeOid: number
  readonly typeModifier: number
  /** The type as statements name it. */
  readonly typeText: string
  readonly rule: TypeMapping
}

/** A table as Postgres's catalog describes it. */
export interface DescribedTable {
  readonly oid: string
  readonly schema: string
  readonly table: string
  readonly isPartitioned: boolean
  readonly columns: ReadonlyArray<DescribedColumn>
  /** The names of all columns, also of those that are excluded or generated. */
  readonly names: ReadonlySet<string>
  /** What is wrong with `excludedColumns`. It keeps a table from being copied, and not from being followed: a copied table may lose a column. */
  readonly excludedProblem?: string
  /** The column by which a snapshot is divided. */
  readonly partitionKey: string
  readonly definition: TableDefinition
  readonly source: SourceTable
}

/** A table in `FROM`. Tables that inherit from it are others, and the partitions of a table are the table. */
export const fromTable = (table: DescribedTable): string => `${table.isPartitioned ? "" : "ONLY "}${quoteTable(table)}`

interface TableRow {
  readonly oid: string
  readonly kind: string
  readonly identity: string
  readonly persistence: string
}

interface KeyRow {
  readonly isPrimary: boolean
  readonly isIdentity: boolean
  readonly isImmediate: boolean
  readonly columns: ReadonlyArray<string>
}

interface ColumnRow {
  readonly name: string
  readonly isRequired: boolean
  readonly isGenerated: boolean
  readonly typeOid: number
  readonly typeModifier: number
  readonly typeText: string
  readonly typeName: string
  readonly isOwn: boolean
  readonly baseModifier: number
  readonly isArray: boolean
  readonly element: string | null
}

const tableSql = `
  SELECT c.oid::text AS oid, c.relkind::text AS kind, c.relreplident::text AS identity, c.relpersistence::text AS persistence
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`

const keySql = `
  SELECT i.indisprimary AS "isPrimary", i.indisreplident AS "isIdentity", i.indimmediate AS "isImmediate",
    array(
      SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE k.place <= i.indnkeyatts ORDER BY k.place
    ) AS columns
  FROM pg_index i WHERE i.indrelid = $1::oid AND (i.indisprimary OR i.indisreplident)`

// `int2vector` is no array: it is written in another way. A domain is its base type. What limits the type is said by the column or by the first domain that says it.
const columnSql = `
  SELECT a.attname::text AS name, a.attnotnull AS "isRequired", a.attgenerated <> '' AS "isGenerated",
    a.atttypid::int8::float8 AS "typeOid", a.atttypmod AS "typeModifier", format_type(a.atttypid, a.atttypmod) AS "typeText",
    b.typname::text AS "typeName", b.typnamespace = 'pg_catalog'::regnamespace AS "isOwn", b.modifier AS "baseModifier",
    b."isArray",
    (SELECT e.typname::text FROM pg_type e WHERE e.oid = b.typelem AND e.typnamespace = 'pg_catalog'::regnamespace) AS element
  FROM pg_attribute a
  CROSS JOIN LATERAL (
    WITH RECURSIVE base AS (
      SELECT t.oid, t.typtype, t.typbasetype,
        CASE WHEN a.atttypmod <> -1 THEN a.atttypmod ELSE t.typtypmod END AS modifier
      FROM pg_type t WHERE t.oid = a.atttypid
      UNION ALL
      SELECT t.oid, t.typtype, t.typbasetype, CASE WHEN base.modifier <> -1 THEN base.modifier ELSE t.typtypmod END
      FROM base JOIN pg_type t ON t.oid = base.typbasetype WHERE base.typtype = 'd'
    )
    SELECT t.typname, t.typnamespace, t.typoutput = 'array_out'::regproc AS "isArray", t.typelem, base.modifier
    FROM base JOIN pg_type t ON t.oid = base.oid WHERE base.typtype <> 'd'
  ) b
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

const ownNames = new Set(Object.values(versionColumns))

/** The columns that tell the rows of a table apart in its changes, or why there are none. */
const identityOf = (name: string, { identity }: TableRow, keys: ReadonlyArray<KeyRow>, isFollowed: boolean) => {
  const primary = keys.find(({ isPrimary }) => isPrimary)
  const index = keys.find(({ isIdentity }) => isIdentity)
  if (isFollowed && identity === "n") {
    return `${name} says nothing of changed and deleted rows. Run: ALTER TABLE ${name} REPLICA IDENTITY DEFAULT`
  }
  if (identity === "i" && index !== undefined) return index.columns
  if (primary === undefined) {
    return `${name} has no primary key. Add one: ALTER TABLE ${name} ADD PRIMARY KEY (...)`
  }
  // Within a statement two rows may have the same key, and their changes do not tell which is which.
  return primary.isImmediate
    ? primary.columns
    : `${name} has a deferrable primary key, by which changes cannot be followed: make it NOT DEFERRABLE`
}

/** A table, from what the catalog says of it, or why it cannot be copied. */
const describe = (
  options: PostgresOptions,
  table: PostgresTable,
  found: TableRow,
  definition: TableDefinition,
  keys: ReadonlyArray<KeyRow>,
  rows: ReadonlyArray<ColumnRow>
): DescribedTable | string => {
  const name = quoteTable(table)
  const isFollowed = options.mode !== "snapshot"
  const columns = rows
    .filter(({ isGenerated, name }) => !isGenerated && !table.excluded.includes(name))
    .map((row): DescribedColumn & { readonly isRequired: boolean } => ({
      name: row.name,
      typeOid: row.typeOid,
      typeModifier: row.typeModifier,
      typeText: row.typeText,
      isRequired: row.isRequired,
      rule: typeMapping({
        isArray: row.isArray,
        modifier: row.baseModifier,
        ...(row.isOwn ? { name: row.typeName } : {}),
        ...(row.element === null ? {} : { element: row.element })
      })
    }))
  const taken = columns.find(({ name }) => ownNames.has(name))
  if (taken !== undefined) return `${name} has a column ${taken.name}, which is one of the pipe's own`
  const identity = identityOf(name, found, keys, isFollowed)
  if (typeof identity === "string") return identity
  const key = table.sortingKeys ?? identity
  const missing = identity.find((column) => !key.includes(column))
  if (missing !== undefined) return `${name}: sortingKeys lacks ${missing}, which tells rows apart`
  const required = new Set(columns.flatMap(({ isRequired, name }) => (isRequired ? [name] : [])))
  const nullable = key.find((column) => !required.has(column))
  if (nullable !== undefined) {
    return `${name}: the sorting key needs ${nullable}, which is excluded, generated, missing or takes NULL`
  }
  if (isFollowed && found.identity !== "f" && key.some((column) => !identity.includes(column))) {
    return `${name} is sorted by columns that its changes do not tell. Run: ALTER TABLE ${name} REPLICA IDENTITY FULL`
  }
  const partitionKey = table.partitionKey ?? key[0]
  if (partitionKey === undefined || !columns.some(({ name }) => name === partitionKey)) {
    return `${name}: it has no column ${partitionKey ?? ""}, which partitionKey names`
  }
  const source: SourceTable = {
    name,
    target: table.target,
    columns: columns.map(({ isRequired, name, rule }) => ({
      name,
      type: options.keepsNulls && rule.takesNull && !isRequired ? `Nullable(${rule.type})` : rule.type
    })),
    key,
    definition: definitionText(definition),
    ...(table.partitionBy === undefined ? {} : { partitionBy: table.partitionBy })
  }
  const names = new Set(rows.map(({ name }) => name))
  const unknown = table.excluded.find((column) => !names.has(column))
  return {
    oid: found.oid,
    schema: table.schema,
    table: table.table,
    isPartitioned: found.kind === "p",
    columns,
    names,
    ...(unknown === undefined
      ? {}
      : {
          excludedProblem: `${name}: it has no column ${unknown}, which excludedColumns names. A column that was renamed would be copied: name it there as it is now`
        }),
    partitionKey,
    definition,
    source
  }
}

/** A table as it is now, or why it cannot be copied and what to do. */
export const findTable = Effect.fnUntraced(function* (client: Client, options: PostgresOptions, table: PostgresTable) {
  const name = quoteTable(table)
  const [found] = yield* query<TableRow>(client, tableSql, [table.schema, table.table])
  if (found === undefined) return `there is no table ${name} that this user may see`
  if (found.kind !== "r" && found.kind !== "p") return `${name} is no table`
  if (found.persistence !== "p" && options.mode !== "snapshot") {
    return `${name} is not logged, so its changes cannot be followed. Run: ALTER TABLE ${name} SET LOGGED`
  }
  // First: what changes after it is found later, and what changed before is described.
  const definition = (yield* readDefinitions(client, [found.oid])).get(found.oid)
  if (definition === undefined) return `there is no table ${name} that this user may see`
  const keys = yield* query<KeyRow>(client, keySql, [found.oid])
  const columns = yield* query<ColumnRow>(client, columnSql, [found.oid])
  return describe(options, table, found, definition, keys, columns)
})

/** A table as it is now. Fails with what to do if it cannot be copied. */
export const describeTable = Effect.fnUntraced(function* (
  client: Client,
  options: PostgresOptions,
  table: PostgresTable
) {
  const found = yield* findTable(client, options, table)
  return typeof found === "string" ? yield* new CannotContinue({ message: found }) : found
})
