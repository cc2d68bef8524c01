import { OrganizationId, type PipeId, ServiceId } from "@headgate/core"
import { Ledger } from "@headgate/mover"
import { type LedgerUnderTest, lawPipeId, otherPipeId } from "@headgate/mover/laws"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlLedger } from "../../src/mover/index.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-0000000000aa")
const serviceId = ServiceId.make("5e000000-0000-4000-8000-0000000000aa")

/** Inserts pipes, of which a ledger knows no more than that they are there. */
export const insertPipes = Effect.fnUntraced(function* (...ids: ReadonlyArray<PipeId>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO organization (id, name) VALUES (${organizationId}, 'x')`
  yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${serviceId}, ${organizationId}, 'x')`
  for (const id of ids) {
    yield* sql`
      INSERT INTO pipe (id, organization_id, service_id, document) VALUES (${id}, ${organizationId}, ${serviceId}, '{}')`
  }
})

/** The tables of the ledger, in the order that foreign keys demand. */
export const ledgerTables = ["mover_pipe", "mover_partition", "mover_range"]

/** A ledger over the store, for the laws. */
export const ledgerUnderTest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* insertPipes(lawPipeId, otherPipeId)
  const ledger = yield* Effect.provide(Ledger, SqlLedger.layer)
  const rowsOf = Effect.fnUntraced(function* (table: string) {
    const order = table === "mover_range" ? sql`ORDER BY seq` : sql``
    const rows = yield* sql`SELECT * FROM ${sql(table)} ${order}`
    return { table, rows: rows.map((row) => Record.remove(row, "seq")) }
  })
  const backup = Effect.gen(function* () {
    const saved = yield* Effect.forEach(ledgerTables, rowsOf)
    const restore = Effect.gen(function* () {
      yield* sql`DELETE FROM mover_pipe`
      for (const { rows, table } of saved) {
        for (const row of rows) yield* sql`INSERT INTO ${sql(table)} ${sql.insert(row)}`
      }
    })
    return sql.withTransaction(restore)
  })
  return { ledger, backup } satisfies LedgerUnderTest
})
