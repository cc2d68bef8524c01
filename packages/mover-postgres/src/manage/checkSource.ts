import * as Effect from "effect/Effect"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { query, toSourceError, withConnection } from "../protocol/Connection.ts"
import { quoteIdentifier, quoteTable } from "../protocol/quote.ts"
import { findTable } from "../table/describeTable.ts"
import { findPublicationProblem } from "../table/publication.ts"

/** What a pipe lacks to copy a database, and what to run. */
export interface SourceProblem {
  /** The field of the pipe's source that it is about. */
  readonly field: string
  readonly problem: string
  /** A statement of SQL for a user who may run it; absent where no single one helps. */
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

/**
 * Everything that a pipe would lack, each with the statement to run. Empty: the pipe can start. It changes nothing. Fails if the
 * server cannot be reached.
 */
export const checkSource = Effect.fn("checkSource")(function* (options: PostgresOptions) {
  const user = quoteIdentifier(options.username)
  return yield* withConnection(
    options,
    Effect.fnUntraced(function* (client) {
      const [server] = yield* query<ServerRow>(client, serverSql, [options.slot.name])
      const problems = server === undefined ? [] : [...serverProblems(options, server)]
      let ownsAll = true
      for (const [index, table] of options.tables.entries()) {
        const field = `tableMappings[${index}]`
        const name = quoteTable(table)
        const found = yield* findTable(client, options, table)
        if (typeof found === "string") {
          problems.push({ field, problem: found })
          continue
        }
        const [may] = yield* query<{ readonly may: boolean }>(client, maySelectSql, [table.schema, table.table])
        if (may?.may !== true) {
          problems.push({
            field,
            problem: `the user ${user} may not read ${name}`,
            statement: `GRANT SELECT ON ${name} TO ${user}`
          })
        }
        const [owner] = yield* query<{ readonly owns: boolean }>(client, ownsSql, [table.schema, table.table])
        ownsAll = ownsAll && owner?.owns === true
      }
      const publication = options.mode === "snapshot" ? undefined : yield* findPublicationProblem(client, options)
      if (publication !== undefined && !(options.publication.isOwn && server?.mayCreate === true && ownsAll)) {
        problems.push({ field: "settings.publicationName", ...publication })
      }
      const result: ReadonlyArray<SourceProblem> = problems
      return result
    })
  ).pipe(Effect.mapError(toSourceError))
})
