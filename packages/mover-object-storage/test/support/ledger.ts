// The pipe of the tests, and its ledger.
import { PipeId } from "@headgate/core"
import { NodeSqlite, SqlMigrations } from "@headgate/sql-adapter"
import { SqlLedger } from "@headgate/sql-adapter/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

export const pipeId = PipeId.make("b1be0000-0000-4000-8000-0000000000d1")
const [organizationId, serviceId] = ["0a0b0c0d-0000-4000-8000-0000000000aa", "5e000000-0000-4000-8000-0000000000aa"]

const insertPipe = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO organization (id, name) VALUES (${organizationId}, 'x') ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${serviceId}, ${organizationId}, 'x')
    ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO pipe (id, organization_id, service_id, document)
    VALUES (${pipeId}, ${organizationId}, ${serviceId}, '{}') ON CONFLICT DO NOTHING`
})

/** The ledger in a file, which knows the pipe of the tests. */
export const ledgerIn = (filename: string) =>
  SqlLedger.layer.pipe(
    Layer.provide(Layer.effectDiscard(insertPipe)),
    Layer.provide(SqlMigrations.layer),
    Layer.provide(NodeSqlite.layer({ filename }))
  )
