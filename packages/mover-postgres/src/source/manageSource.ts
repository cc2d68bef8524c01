import type { PipeId, PostgresSource } from "@headgate/core"
import type { ExternalResources, RetainedLog } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { createdNames, defaultPort } from "../options/postgresOptionsOf.ts"
import { query, toSourceError, withConnection } from "../protocol/Connection.ts"
import { quoteIdentifier, quoteLiteral, quoteTable } from "../protocol/quote.ts"
import { findTable } from "../table/describeTable.ts"
import { createPublication, findPublicationProblem } from "../table/publication.ts"
import { dropSlot } from "../table/slot.ts"

// What a server asks a source and does to it while no mover runs.

/** What a pipe lacks to copy a database, and what to run. */
export interface SourceProblem {
  /** The field of the pipe's source that it is about. */
  readonly field: string
  readonly problem: string
  /** A statement of SQL for a user who may run it, and what to set then; absent where no single one helps. */
  readonly statement?: string
}

interface ServerRow {
  readonly walLevel: string
  readonly encoding: string
  readonly mayReplicate: boolean
  readonly mayCreate: boolean
  readonly freeSlots: number
  readonly hasSlot: boolean
}

const serverSql = `
  SELECT current_setting('wal_level') AS "walLevel", current_setting('server_encoding') AS encoding,
    (SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user) AS "mayReplicate",
    has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
    current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots)::int AS "freeSlots",
    EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1) AS "hasSlot"`

/** What the server lacks. */
const serverProblems = (options: PostgresOptions, server: ServerRow): ReadonlyArray<SourceProblem> => {
  const problems: Array<SourceProblem> = []
  if (server.encoding === "SQL_ASCII")
    problems.push({
      field: "database",
      problem: "the encoding of the database is SQL_ASCII: its texts may be no UTF-8"
    })
  if (options.mode === "snapshot") return problems
  if (server.walLevel !== "logical") {
    const statement = "ALTER SYSTEM SET wal_level = 'logical'"
    const problem = `wal_level is ${server.walLevel}. It changes when the server starts again`
    problems.push({ field: "settings.replicationMode", problem, statement })
  }
  if (!server.mayReplicate) {
    const user = quoteIdentifier(options.username)
    const statement = `ALTER ROLE ${user} REPLICATION`
    problems.push({ field: "credentials", problem: `the user ${user} may not replicate`, statement })
  }
  if (server.freeSlots < 1 && !server.hasSlot) {
    const problem = "all replication slots are taken: raise max_replication_slots"
    problems.push({ field: "settings.replicationMode", problem })
  }
  if (!options.slot.isOwn && !server.hasSlot) {
    const statement = `SELECT pg_create_logical_replication_slot('${options.slot.name}', 'pgoutput')`
    problems.push({
      field: "settings.replicationSlotName",
      problem: `there is no slot ${options.slot.name}`,
      statement
    })
  }
  return problems
}

const maySelectSql = "SELECT has_table_privilege(format('%I.%I', $1::text, $2::text), 'SELECT') AS may"
const ownsSql = `
  SELECT pg_has_role(c.relowner, 'USAGE') AS owns FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2`

/** A publication for a user who may not create that of the pipe. Nobody can make one for a new pipe, whose name is not known. */
const namedPublication = (options: PostgresOptions, user: string) => {
  const name = "my_pipe"
  return {
    problem: `the user ${user} may not create a publication of these tables`,
    statement: `${createPublication({ ...options, publication: { name, isOwn: false } })}; then set settings.publicationName: ${name}`
  }
}

/** What a pipe would lack of one table, and whether its user owns the table. */
const checkTable = Effect.fnUntraced(function* (
  client: Client,
  options: PostgresOptions,
  table: PostgresOptions["tables"][number]
) {
  const user = quoteIdentifier(options.username)
  const name = quoteTable(table)
  const found = yield* findTable(client, options, table)
  // The owner of a table that is not there does not matter.
  if (typeof found === "string") return { isOwned: true, problems: [{ problem: found }] }
  const problems: Array<Omit<SourceProblem, "field">> =
    found.excludedProblem === undefined ? [] : [{ problem: found.excludedProblem }]
  const [may] = yield* query<{ readonly may: boolean }>(client, maySelectSql, [table.schema, table.table])
  if (may?.may !== true) {
    problems.push({
      problem: `the user ${user} may not read ${name}`,
      statement: `GRANT SELECT ON ${name} TO ${user}`
    })
  }
  const [owner] = yield* query<{ readonly owns: boolean }>(client, ownsSql, [table.schema, table.table])
  return { isOwned: owner?.owns === true, problems }
})

/**
 * Everything that a pipe would lack, each with the statement to run. Empty: the pipe can start. It changes nothing. `isNew`: the pipe
 * does not exist yet, so that nothing in the source has its name. Fails if the server cannot be reached.
 */
export const checkSource = Effect.fn("checkSource")(function* (options: PostgresOptions, isNew = false) {
  const user = quoteIdentifier(options.username)
  return yield* withConnection(
    options,
    Effect.fnUntraced(function* (client) {
      const [server] = yield* query<ServerRow>(client, serverSql, [options.slot.name])
      const problems = server === undefined ? [] : [...serverProblems(options, server)]
      let ownsAll = true
      for (const [index, table] of options.tables.entries()) {
        const { isOwned, problems: ofTable } = yield* checkTable(client, options, table)
        for (const problem of ofTable) problems.push({ field: `tableMappings[${index}]`, ...problem })
        ownsAll &&= isOwned
      }
      const mayCreate = options.publication.isOwn && server?.mayCreate === true && ownsAll
      if (options.mode !== "snapshot" && !mayCreate) {
        const publication =
          options.publication.isOwn && isNew
            ? namedPublication(options, user)
            : yield* findPublicationProblem(client, options)
        if (publication !== undefined) problems.push({ field: "settings.publicationName", ...publication })
      }
      const result: ReadonlyArray<SourceProblem> = problems
      return result
    })
  ).pipe(Effect.mapError(toSourceError))
})

const warnFrom = 1024 ** 3

const retainedSql = `
  SELECT pg_wal_lsn_diff(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn
  )::float8 AS bytes
  FROM pg_replication_slots WHERE slot_name = $1`

/** How many bytes of its log the server keeps for a pipe; 0 if the pipe has no slot. A pipe that is stopped makes it keep more and more. */
export const retainedLog = Effect.fn("retainedLog")(function* (options: PostgresOptions) {
  const { name } = options.slot
  const [row] = yield* withConnection(options, (client) =>
    query<{ readonly bytes: number | null }>(client, retainedSql, [name])
  ).pipe(Effect.mapError(toSourceError))
  const bytes = row?.bytes ?? 0
  const gibibytes = (bytes / warnFrom).toFixed(1)
  const retained: RetainedLog =
    bytes < warnFrom
      ? { bytes }
      : {
          bytes,
          warning: `the slot ${name} makes the source keep ${gibibytes} GiB of its log. Start the pipe, or delete it, which releases the slot. SELECT pg_drop_replication_slot(${quoteLiteral(name)}) releases it at once; the pipe then needs a resync`
        }
  return retained
})

/** What a pipe creates in its source; `undefined` for nothing. */
export const externalResources = (pipeId: PipeId, source: PostgresSource): ExternalResources | undefined => {
  const { isSnapshot, publication, slot } = createdNames(pipeId, source.settings ?? {})
  const names = [
    ...(slot.isOwn ? [`slot ${slot.name}`] : []),
    ...(publication.isOwn ? [`publication ${publication.name}`] : [])
  ]
  if (isSnapshot || names.length === 0) return undefined
  return { names, place: `database ${source.database} at ${source.host}:${source.port ?? defaultPort}` }
}

/**
 * Drops what a pipe has created in its source: the slot, which keeps the server's log from being removed, and the publication. Those
 * that the user has made stay. A repeat is harmless. Fails if the server cannot be reached.
 */
export const releaseSource = Effect.fn("releaseSource")(function* (options: PostgresOptions) {
  const { mode, publication, slot } = options
  if (mode === "snapshot") return
  yield* withConnection(
    options,
    Effect.fnUntraced(function* (client) {
      if (slot.isOwn) yield* dropSlot(client, slot.name)
      if (publication.isOwn) yield* query(client, `DROP PUBLICATION IF EXISTS ${quoteIdentifier(publication.name)}`)
    })
  ).pipe(Effect.mapError(toSourceError))
})
