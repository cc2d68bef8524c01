import type { Change } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { connect, query } from "../protocol/Connection.ts"
import { quoteIdentifier } from "../protocol/quote.ts"
import { fromTable } from "../table/DescribedTable.ts"
import type { Read, RowWriter, Tuple } from "./rowWriter.ts"

type Partial = Extract<Read, { readonly _tag: "Partial" }>

const rowsAtOnce = 1000

/** The rows with these keys as they are now, each with the number of its key. */
const rowsSql = ({ columns, described, table }: RowWriter): string => {
  const keys = table.key.map((name, index) => ({
    name: quoteIdentifier(name),
    type: columns.find((column) => column.name === name)?.typeText ?? "text",
    alias: `k${index}`
  }))
  const values = columns.map(
    ({ name }) => `CASE WHEN t.${quoteIdentifier(name)} IS NOT NULL THEN format('%s', t.${quoteIdentifier(name)}) END`
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
export const makeReadBack = Effect.fnUntraced(function* (options: PostgresOptions) {
  const client = yield* connect(options)
  return Effect.fnUntraced(function* (read: ReadonlyArray<Read>) {
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
})
