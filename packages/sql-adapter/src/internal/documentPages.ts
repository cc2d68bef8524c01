import type { CallError } from "@headgate/core"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orServerError } from "./outage.ts"

const maxPageDocuments = 256
const maxPageBytes = 256 * 1024

/** What a page needs of each row, beside the columns that a list asks for. */
interface PageRow {
  readonly seq: number
  /** How many rows follow the previous page, counted up to `maxPageDocuments`. */
  readonly following: number
}

/** Some documents of a list as JSON text. */
export interface DocumentPage {
  readonly documents: ReadonlyArray<string>
  /** What to read the next page after; absent at the end. */
  readonly next?: number | undefined
}

/** Reads one page of a list: the first after 0, any other after `next` of the page before. */
export type ReadPage<E = CallError> = (after: number) => Effect.Effect<DocumentPage, E>

/**
 * Reads the rows of a table that match the condition, in order of insertion, in pages of at most 256 documents and
 * 256 KiB; a larger document is a page of its own. `counted`: the column whose bytes count.
 *
 * Keyset pagination: each page is one statement, which begins after the `seq` of the last document. Nothing is held
 * between pages. The lengths are summed before any document is read, so that a page is all that is in memory.
 */
export const rowPages =
  <Row extends object>(
    sql: SqlClient.SqlClient,
    table: "dashboard" | "pipe",
    columns: Fragment,
    condition: Fragment,
    counted: "document" | "progress" = "document"
  ) =>
  (after: number) =>
    // The casts are for Postgres, whose driver reads BIGINT as text.
    Effect.map(
      orServerError(sql<PageRow & Row>`
        WITH following AS (
          SELECT seq, COALESCE(octet_length(${sql(counted)}), 0) AS bytes FROM ${sql(table)}
          WHERE ${condition} AND seq > ${after} ORDER BY seq LIMIT ${maxPageDocuments}
        ), page AS (
          SELECT seq, bytes, SUM(bytes) OVER (ORDER BY seq) AS total FROM following
        )
        SELECT CAST(held.seq AS DOUBLE PRECISION) AS seq, ${columns},
          CAST((SELECT COUNT(*) FROM following) AS INTEGER) AS following
        FROM page JOIN ${sql(table)} AS held ON held.seq = page.seq
        WHERE total <= ${maxPageBytes} OR total = bytes
        ORDER BY held.seq`),
      (rows) => {
        const last = rows.at(-1)
        const isLast = last === undefined || (rows.length === last.following && last.following < maxPageDocuments)
        const next = isLast ? undefined : last.seq
        return { rows, next }
      }
    )

/** {@link rowPages} of the documents alone. */
export const documentPages = (sql: SqlClient.SqlClient, table: "dashboard", condition: Fragment): ReadPage => {
  const readRows = rowPages<{ readonly document: string }>(sql, table, sql`document`, condition)
  return (after) =>
    Effect.map(readRows(after), ({ next, rows }) => ({ documents: rows.map(({ document }) => document), next }))
}
