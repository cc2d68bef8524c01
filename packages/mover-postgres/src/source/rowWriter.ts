import type { Change, CopiedTable, RejectedRow } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import type { Pgoutput } from "pg-logical-replication"
import { query } from "../protocol/Connection.ts"
import { quoteIdentifier } from "../protocol/quote.ts"
import { type DescribedColumn, type DescribedTable, fromTable } from "../table/describeTable.ts"

/** The values of a row by their columns, as Postgres writes them. `undefined`: not sent, since it is what it was. */
export type Tuple = Readonly<Record<string, string | null | undefined>>

/** A change, or a row of which a large value was not sent, because it is the same as before. */
export type Read =
  | Change
  | {
      readonly _tag: "Partial"
      readonly writer: RowWriter
      readonly tuple: Tuple
      readonly version: bigint
    }

/** Writes the rows of a table as the warehouse reads them. */
export interface RowWriter {
  readonly table: CopiedTable
  readonly described: DescribedTable
  /** The columns that are copied. */
  readonly columns: ReadonlyArray<DescribedColumn>
  /** The columns that were added since the table was described. */
  readonly added: (relation: Pgoutput.MessageRelation) => ReadonlyArray<Change>
  readonly insert: (tuple: Tuple, version: bigint) => ReadonlyArray<Read>
  /** As `insert`, of a row of which every value is known. */
  readonly complete: (tuple: Tuple, version: bigint) => ReadonlyArray<Change>
  readonly remove: (tuple: Tuple, version: bigint) => ReadonlyArray<Read>
  /** Whether a change has given a row another key. */
  readonly isMoved: (old: Tuple, now: Tuple) => boolean
}

const escapes: Readonly<Record<string, string>> = {
  "\\": String.raw`\\`,
  "\b": String.raw`\b`,
  "\f": String.raw`\f`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
  "\v": String.raw`\v`
}

// eslint-disable-next-line no-control-regex -- these are the characters that COPY escapes
const escaped = /[\\\b\f\n\r\t\v]/g

/** NULL as COPY writes it and the engine reads it. */
const nullField = String.raw`\N`

/** A text as a field of a line, escaped as COPY does it. */
const field = (text: string): string => text.replace(escaped, (each) => escapes[each] ?? each)

const encoder = new TextEncoder()

export const makeRowWriter = (described: DescribedTable, table: CopiedTable): RowWriter => {
  const { name } = table
  const copied = new Set(table.columns.map((column) => column.name))
  const columns = described.columns.filter((column) => copied.has(column.name))
  const key = new Set(table.key)

  const rejected = (tuple: Tuple, column: DescribedColumn): RejectedRow => ({
    content: encoder.encode(JSON.stringify(tuple)),
    reason: `column ${column.name}: the value does not fit into ${column.rule.type}`
  })

  /** The fields of a row, and the first column whose value does not fit. */
  const fieldsOf = (tuple: Tuple, isDeleted: boolean) => {
    const fields: Array<string> = []
    for (const column of columns) {
      const value = isDeleted && !key.has(column.name) ? null : (tuple[column.name] ?? null)
      const converted = value === null ? null : column.rule.convert(value)
      if (converted === undefined) return { fields, misfit: column }
      fields.push(converted === null ? nullField : field(converted))
    }
    return { fields, misfit: undefined }
  }

  const remove = (tuple: Tuple, version: bigint): ReadonlyArray<Change> => {
    const { fields, misfit } = fieldsOf(tuple, true)
    // A key that does not fit was never in the table.
    if (misfit !== undefined) return []
    return [{ _tag: "Row", table: name, row: [...fields, "1", version].join("\t") }]
  }

  const complete = (tuple: Tuple, version: bigint): ReadonlyArray<Change> => {
    const { fields, misfit } = fieldsOf(tuple, false)
    if (misfit === undefined) return [{ _tag: "Row", table: name, row: [...fields, "0", version].join("\t") }]
    // The table holds the rows that fit, so an earlier version of this one goes.
    return [{ _tag: "Rejected", table: name, row: rejected(tuple, misfit) }, ...remove(tuple, version)]
  }

  const insert = (tuple: Tuple, version: bigint): ReadonlyArray<Read> =>
    columns.some((column) => tuple[column.name] === undefined)
      ? [{ _tag: "Partial", writer, tuple, version }]
      : complete(tuple, version)

  const writer: RowWriter = {
    table,
    described,
    columns,
    added: (relation) =>
      relation.columns.flatMap((column) =>
        described.names.has(column.name) ? [] : [{ _tag: "Unknown" as const, table: name, column: column.name }]
      ),
    insert,
    complete,
    remove,
    isMoved: (old, now) => table.key.some((column) => old[column] !== now[column])
  }
  return writer
}

type Partial = Extract<Read, { readonly _tag: "Partial" }>

const rowsAtOnce = 1000

/** The rows with these keys as they are now, each with the number of its key. */
const rowsSql = ({ columns, described, table }: RowWriter): string => {
  const keys = table.key.map((name, index) => ({
    name: quoteIdentifier(name),
    type: columns.find((column) => column.name === name)?.typeText ?? "text",
    alias: `k${index}`
  }))
  // A composite value with a null in it is not IS NOT NULL.
  const values = columns.map(
    ({ name }) =>
      `CASE WHEN num_nulls(t.${quoteIdentifier(name)}) = 0 THEN format('%s', t.${quoteIdentifier(name)}) END`
  )
  return `SELECT k.number::int AS number, ARRAY[${values.join(", ")}] AS values
    FROM unnest(${keys.map((_, index) => `$${index + 1}::text[]`).join(", ")})
      WITH ORDINALITY AS k (${keys.map(({ alias }) => alias).join(", ")}, number)
    JOIN ${fromTable(described)} t ON ${keys.map(({ alias, name, type }) => `t.${name} = k.${alias}::${type}`).join(" AND ")}`
}

/** Reads the rows of a table whose large values were not sent. */
const readRows = Effect.fnUntraced(function* (client: Client, writer: RowWriter, partials: ReadonlyArray<Partial>) {
  const keys = writer.table.key.map((name) => partials.map(({ tuple }) => tuple[name]))
  const rows = yield* query<{ readonly number: number; readonly values: ReadonlyArray<string | null> }>(
    client,
    rowsSql(writer),
    keys
  )
  const found = new Map<Partial, Tuple>()
  for (const { number, values } of rows) {
    const partial = partials[number - 1]
    if (partial === undefined) continue
    const now = Object.fromEntries(writer.columns.map(({ name }, index) => [name, values[index] ?? null]))
    const filled = writer.columns.map(({ name }) => {
      const sent = partial.tuple[name]
      return [name, sent === undefined ? now[name] : sent] as const
    })
    found.set(partial, Object.fromEntries(filled))
  }
  return found
})

/**
 * Completes the rows of which Postgres did not send a large value, because the change left it as it was: they are read back by
 * their keys. What is read may be newer than the change; a change that made it so is still to come, and has a higher version. A row
 * that is no longer there was deleted or has another key, which is still to come as well.
 */
export const makeReadBack = (client: Client) =>
  Effect.fnUntraced(function* (read: ReadonlyArray<Read>) {
    const byWriter = new Map<RowWriter, Array<Partial>>()
    for (const each of read) {
      if (each._tag !== "Partial") continue
      const list = byWriter.get(each.writer)
      if (list === undefined) byWriter.set(each.writer, [each])
      else list.push(each)
    }
    const complete = new Map<Read, Tuple>()
    for (const [writer, partials] of byWriter) {
      for (let at = 0; at < partials.length; at += rowsAtOnce) {
        const found = yield* readRows(client, writer, partials.slice(at, at + rowsAtOnce))
        for (const [partial, tuple] of found) complete.set(partial, tuple)
      }
    }
    return read.flatMap((each): ReadonlyArray<Change> => {
      if (each._tag !== "Partial") return [each]
      const tuple = complete.get(each)
      return tuple === undefined ? [] : each.writer.complete(tuple, each.version)
    })
  })
