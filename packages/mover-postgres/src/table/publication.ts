import { CannotContinue } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import type { PostgresOptions, PostgresTable } from "../options/PostgresOptions.ts"
import { type PostgresFailure, query } from "../protocol/Connection.ts"
import { quoteIdentifier, quoteTable } from "../protocol/quote.ts"
import type { DescribedTable } from "./describeTable.ts"

interface PublicationRow {
  readonly isComplete: boolean
  readonly isByRoot: boolean
  readonly tables: ReadonlyArray<string>
}

const publicationSql = `
  SELECT p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate AS "isComplete", p.pubviaroot AS "isByRoot",
    array(SELECT format('%I.%I', t.schemaname, t.tablename) FROM pg_publication_tables t WHERE t.pubname = p.pubname) AS tables
  FROM pg_publication p WHERE p.pubname = $1`

interface PublishedRow {
  readonly schema: string
  readonly table: string
  readonly oid: string
}

// A name of a table as the catalog's `format` writes it, to compare names with.
const nameSql = "SELECT format('%I.%I', $1::text, $2::text) AS name"

/** The privilege is missing. */
export const notPermitted = "42501"

const parametersOf = "WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)"

/** The statement that creates the publication of a pipe. */
export const createPublication = ({ publication, tables }: Pick<PostgresOptions, "publication" | "tables">): string =>
  `CREATE PUBLICATION ${quoteIdentifier(publication.name)} FOR TABLE ${tables.map(quoteTable).join(", ")} ${parametersOf}`

const setTables = ({ publication, tables }: PostgresOptions): string =>
  `ALTER PUBLICATION ${quoteIdentifier(publication.name)} SET TABLE ${tables.map(quoteTable).join(", ")}`

/** What is wrong with the publication, with the statement to run; `undefined` if nothing is. */
export const findPublicationProblem = Effect.fnUntraced(function* (client: Client, options: PostgresOptions) {
  const { publication, tables } = options
  const name = quoteIdentifier(publication.name)
  const [found] = yield* query<PublicationRow>(client, publicationSql, [publication.name])
  if (found === undefined) return { problem: `there is no publication ${name}`, statement: createPublication(options) }
  if (!found.isComplete) {
    const statement = `ALTER PUBLICATION ${name} SET (publish = 'insert, update, delete, truncate')`
    return { problem: `the publication ${name} leaves changes out`, statement }
  }
  if (!found.isByRoot) {
    const statement = `ALTER PUBLICATION ${name} SET (publish_via_partition_root = true)`
    return { problem: `the publication ${name} names the partitions of tables, and not the tables`, statement }
  }
  const missing: Array<PostgresTable> = []
  for (const table of tables) {
    const [row] = yield* query<{ readonly name: string }>(client, nameSql, [table.schema, table.table])
    if (row !== undefined && !found.tables.includes(row.name)) missing.push(table)
  }
  if (missing.length > 0) {
    const list = missing.map(quoteTable).join(", ")
    return {
      problem: `the publication ${name} lacks ${list}`,
      statement: `ALTER PUBLICATION ${name} ADD TABLE ${list}`
    }
  }
  // A table that was removed from the pipe would be sent and thrown away.
  return publication.isOwn && found.tables.length > tables.length
    ? { problem: `the publication ${name} has more tables`, statement: setTables(options) }
    : undefined
})

const publishedSql = `
  SELECT t.schemaname AS schema, t.tablename AS table, c.oid::text AS oid
  FROM pg_publication_tables t JOIN pg_namespace n ON n.nspname = t.schemaname
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename
  WHERE t.pubname = $1`

/**
 * Fails if a table whose rows were copied is no longer the one of its name in the publication: its changes are not followed. A
 * publication holds tables, and not their names, so one that was made again is not in it.
 */
export const checkPublished = Effect.fnUntraced(function* (
  client: Client,
  { publication }: PostgresOptions,
  copied: Iterable<DescribedTable>
) {
  const rows = yield* query<PublishedRow>(client, publishedSql, [publication.name])
  const published = new Map(rows.map((row) => [quoteTable(row), row.oid]))
  for (const { oid, source } of copied) {
    if (published.get(source.name) === oid) continue
    return yield* new CannotContinue({
      message: `${source.name} is no longer the table that was copied: it was made again, renamed, or taken out of the publication ${quoteIdentifier(publication.name)}, and changes may be lost. A resync copies it as it is now`
    })
  }
})

/**
 * Creates the pipe's publication, or gives it the pipe's tables. One that is not the pipe's own is only checked. Fails with the
 * statement to run.
 */
export const preparePublication = Effect.fnUntraced(function* (client: Client, options: PostgresOptions) {
  const found = yield* findPublicationProblem(client, options)
  if (found === undefined) return
  const { problem, statement } = found
  if (!options.publication.isOwn) return yield* new CannotContinue({ message: `${problem}. Run: ${statement}` })
  yield* query(client, statement).pipe(
    Effect.catch((failure): Effect.Effect<never, CannotContinue | PostgresFailure> =>
      Effect.fail(
        failure.code === notPermitted
          ? new CannotContinue({
              message: `${failure.message}. Let a user who may do it run: ${statement}. Then name the publication in settings.publicationName`
            })
          : failure
      )
    )
  )
})
