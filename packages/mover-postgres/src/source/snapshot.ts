import type { CopiedTable, SourceError, TableSnapshot, RejectedRow } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Client } from "pg"
import { to as copyTo } from "pg-copy-streams"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { connect, failureOf, type PostgresFailure, query, toSourceError } from "../protocol/Connection.ts"
import { quoteIdentifier, quoteLiteral } from "../protocol/quote.ts"
import { type DescribedColumn, type DescribedTable, fromTable } from "../table/describeTable.ts"

/** A part of a table: the rows whose partition key is at least `from` and below `to`. The first part has no `from`. */
interface Part {
  readonly from?: string
  readonly to?: string
}

const partText = (from: string | undefined, to: string | undefined): string => {
  const part: Part = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  return JSON.stringify(part)
}

// The ledger keeps what `splitTable` wrote.
const partOf = (text: string): Part => {
  const part: Part = JSON.parse(text)
  return part
}

const condition = (column: string, { from, to }: Part): string => {
  const key = quoteIdentifier(column)
  const bounds = [
    ...(from === undefined ? [] : [`${key} >= ${quoteLiteral(from)}`]),
    ...(to === undefined ? [] : [`${key} < ${quoteLiteral(to)}`])
  ].join(" AND ")
  if (bounds === "") return "true"
  return from === undefined ? `(${bounds} OR ${key} IS NULL)` : `(${bounds})`
}

const sizeSql = `
  SELECT sum(CASE WHEN c.reltuples > 0 THEN c.reltuples ELSE pg_relation_size(c.oid) / 100.0 END)::float8 AS rows
  FROM pg_class c WHERE c.oid = $1::oid OR c.oid IN (SELECT relid FROM pg_partition_tree($1::oid) WHERE isleaf)`

const mostParts = 1000
const sampledRows = 30_000

/** Divides a table into parts of about so many rows, by a sample of its partition key. */
export const splitTable = Effect.fnUntraced(function* (options: PostgresOptions, table: DescribedTable) {
  const client = yield* connect(options)
  const [size] = yield* query<{ readonly rows: number | null }>(client, sizeSql, [table.oid])
  const rows = size?.rows ?? 0
  const count = Math.min(mostParts, Math.ceil(rows / options.rowsPerPart))
  if (count <= 1) return [partText(undefined, undefined)]
  const key = quoteIdentifier(table.partitionKey)
  const percent = Math.min(100, (100 * sampledRows) / rows)
  const fractions = Array.from({ length: count - 1 }, (_, index) => (index + 1) / count)
  const found = yield* query<{ readonly bound: string }>(
    client,
    `SELECT format('%s', bound) AS bound FROM (
      SELECT DISTINCT unnest(percentile_disc($1::float8[]) WITHIN GROUP (ORDER BY ${key})) AS bound
      FROM ${fromTable(table)} TABLESAMPLE SYSTEM (${percent})
    ) b WHERE bound IS NOT NULL ORDER BY b.bound`,
    [fractions]
  )
  const bounds = [undefined, ...found.map(({ bound }) => bound)]
  return bounds.map((from, index) => partText(from, bounds[index + 1]))
}, Effect.scoped)

const copiedColumns = (table: DescribedTable, { columns }: CopiedTable) => {
  const copied = new Set(columns.map(({ name }) => name))
  return table.columns.filter(({ name }) => copied.has(name))
}

/** The condition that is false for rows that the target cannot hold; absent if it can hold all. */
const fitsAll = (columns: ReadonlyArray<DescribedColumn>): string | undefined => {
  const conditions = columns.flatMap(({ name, rule }) => rule.fits?.(quoteIdentifier(name)) ?? [])
  return conditions.length === 0 ? undefined : `(${conditions.join(" AND ")})`
}

// A setting of the session, which has a value once the statement has met a row that does not fit.
const rejectedSetting = quoteLiteral("headgate.rejected")

const rowsSql = (table: DescribedTable, copied: CopiedTable, part: Part): string => {
  const columns = copiedColumns(table, copied)
  const fits = fitsAll(columns)
  const selected = columns.map(({ name, rule }) => rule.select(quoteIdentifier(name)))
  const isKept = `CASE WHEN ${fits} IS FALSE THEN set_config(${rejectedSetting}, 'met', true) IS NULL ELSE true END`
  const where = [condition(table.partitionKey, part), ...(fits === undefined ? [] : [isKept])]
  return `SELECT ${selected.join(", ")}, 0, ${copied.base} FROM ${fromTable(table)} WHERE ${where.join(" AND ")}`
}

// COPY writes base64 as it stands, once its line breaks are gone.
const base64 = (text: string): string => `translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'\\n', '')`

/** The rows that do not fit, as JSON, each with the names of the columns that they do not fit into. */
const rejectedSql = (table: DescribedTable, copied: CopiedTable, part: Part): string | undefined => {
  const columns = copiedColumns(table, copied)
  const fits = fitsAll(columns)
  if (fits === undefined) return undefined
  const reasons = columns.flatMap(({ name, rule }) => {
    const condition = rule.fits?.(quoteIdentifier(name))
    return condition === undefined
      ? []
      : [
          `CASE WHEN ${condition} IS FALSE THEN ${quoteLiteral(`column ${name}: the value does not fit into ${rule.type}`)} END`
        ]
  })
  const names = columns.map(({ name }) => `${quoteLiteral(name)}, ${quoteIdentifier(name)}::text`)
  // A function takes at most a hundred arguments.
  const objects = Array.from(
    { length: Math.ceil(names.length / 40) },
    (_, index) => `jsonb_build_object(${names.slice(index * 40, index * 40 + 40).join(", ")})`
  )
  const reason = reasons.length === 0 ? "''" : `array_to_string(ARRAY[${reasons.join(", ")}], '; ')`
  return `SELECT ${base64(`(${objects.join(" || ")})::text`)}, ${base64(reason)} FROM ${fromTable(table)}
    WHERE ${condition(table.partitionKey, part)} AND ${fits} IS FALSE`
}

const rejectedRowOf = (line: string): RejectedRow => {
  const [content = "", reason = ""] = line.split("\t")
  return { content: Buffer.from(content, "base64"), reason: Buffer.from(reason, "base64").toString("utf8") }
}

const begin = (snapshot: string): string =>
  `BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET TRANSACTION SNAPSHOT ${quoteLiteral(snapshot)}`

/**
 * A snapshot that any number of connections share. The connection that exported it holds it until the scope ends.
 */
export const openSnapshot = Effect.fnUntraced(function* (
  options: PostgresOptions,
  tables: ReadonlyMap<string, DescribedTable>
) {
  const exporter = yield* connect(options)
  yield* query(exporter, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
  const [exported] = yield* query<{ readonly id: string }>(exporter, "SELECT pg_export_snapshot() AS id")

  /** What COPY writes, over a connection of its own. `atEnd` uses the connection after the last row. */
  const copy = (
    sql: string,
    atEnd: (client: Client) => Effect.Effect<void, PostgresFailure> = () => Effect.void
  ): Stream.Stream<Uint8Array, SourceError> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const client = yield* connect(options)
        yield* query(client, begin(exported?.id ?? ""))
        const rows = client.query(copyTo(`COPY (${sql}) TO STDOUT`))
        const end = Stream.fromEffectDrain(
          Effect.mapError(
            Effect.suspend(() => atEnd(client)),
            toSourceError
          )
        )
        return Stream.concat(
          Stream.fromAsyncIterable<Uint8Array, SourceError>(rows, (error) => toSourceError(failureOf(error))),
          end
        )
      }).pipe(Effect.mapError(toSourceError))
    )

  /** The parts that were read to their end without a row that does not fit: they need not be read for such rows. */
  const fitting = new Set<string>()
  const nameOf = ({ name }: CopiedTable, part: string) => JSON.stringify([name, part])
  const noteFitting = (name: string) =>
    Effect.fnUntraced(function* (client: Client) {
      const [row] = yield* query<{ readonly met: string | null }>(
        client,
        `SELECT current_setting(${rejectedSetting}, true) AS met`
      )
      if (row?.met !== "met") fitting.add(name)
    })

  const withTable = <A>(
    { name }: CopiedTable,
    use: (table: DescribedTable) => Stream.Stream<A, SourceError>
  ): Stream.Stream<A, SourceError> => {
    const table = tables.get(name)
    return table === undefined ? Stream.die(new Error(`${name} is no table of the source`)) : use(table)
  }

  const snapshot: TableSnapshot = {
    read: (copied, part) =>
      withTable(copied, (table) => copy(rowsSql(table, copied, partOf(part)), noteFitting(nameOf(copied, part)))),
    readRejected: (copied, part) =>
      withTable(copied, (table) =>
        Stream.suspend(() => {
          const isFitting = fitting.has(nameOf(copied, part))
          const sql = isFitting ? undefined : rejectedSql(table, copied, partOf(part))
          if (sql === undefined) return Stream.empty
          return Stream.map(Stream.splitLines(Stream.decodeText(copy(sql))), rejectedRowOf)
        })
      )
  }
  return snapshot
})
