import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Client } from "pg"
import { query } from "../protocol/Connection.ts"

/** A column of a table. `number`: it is never given to another column. `xmin`: the transaction that changed its definition last. */
const DefinedColumn = Schema.Struct({
  name: Schema.String,
  number: Schema.Int,
  typeOid: Schema.Int,
  typeModifier: Schema.Int,
  xmin: Schema.String
})
export type DefinedColumn = typeof DefinedColumn.Type

/**
 * What is recorded of a table when it is copied. `key`: the columns of the replica identity, in the order of their index. `files`:
 * the file that holds the rows of the table, or of each of its partitions, by the number of that table.
 */
const TableDefinition = Schema.Struct({
  oid: Schema.String,
  identity: Schema.String,
  key: Schema.Array(Schema.String),
  columns: Schema.Array(DefinedColumn),
  files: Schema.Record(Schema.String, Schema.String)
})
export type TableDefinition = typeof TableDefinition.Type

const DefinitionText = Schema.fromJsonString(TableDefinition)

export const definitionText = Schema.encodeSync(DefinitionText)
/** What {@link definitionText} wrote, which the ledger has kept. */
export const definitionOf = Schema.decodeSync(DefinitionText)

// One statement, so that all of it is of one moment. The functions of Postgres that say the same look at another one.
const definitionsSql = `
  SELECT c.oid::text AS oid, c.relreplident::text AS identity,
    array(
      SELECT a.attname::text FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND k.place <= i.indnkeyatts
        AND CASE WHEN c.relreplident = 'i' THEN i.indisreplident ELSE i.indisprimary END
      ORDER BY k.place
    ) AS key,
    (
      SELECT json_agg(json_build_object('name', a.attname, 'number', a.attnum, 'typeOid', a.atttypid::int8,
        'typeModifier', a.atttypmod, 'xmin', a.xmin::text) ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    ) AS columns,
    (
      WITH RECURSIVE part AS (
        SELECT c.oid AS id UNION ALL
        SELECT i.inhrelid FROM part JOIN pg_inherits i ON i.inhparent = part.id WHERE c.relkind = 'p'
      )
      SELECT coalesce(json_object_agg(f.oid::text, f.relfilenode::text), '{}')
      FROM part JOIN pg_class f ON f.oid = part.id WHERE f.relfilenode <> 0
    ) AS files
  FROM pg_class c WHERE c.oid = ANY ($1::oid[])`

/** Tables as the catalog defines them now, by their numbers. One that is gone is not among them. */
export const readDefinitions = Effect.fnUntraced(function* (client: Client, oids: ReadonlyArray<string>) {
  const rows = yield* query<TableDefinition>(client, definitionsSql, [oids])
  return new Map(
    rows.map(({ columns, ...row }): readonly [string, TableDefinition] => [row.oid, { ...row, columns: columns ?? [] }])
  )
})
