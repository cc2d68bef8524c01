// A pipe as headgate-server runs it, in this process.
import { type FieldMapping, PipeId } from "@headgate/core"
import { movePipe, type Source } from "@headgate/mover"
import { ClickHouse, ClickHouseWarehouse } from "@headgate/mover-clickhouse"
import { NodeSqlite, SqlMigrations } from "@headgate/sql-adapter"
import { SqlLedger } from "@headgate/sql-adapter/mover"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import type { Column, Environment } from "./environment.ts"

const organization = { id: "0a0b0c0d-0000-4000-8000-0000000000aa", service: "5e000000-0000-4000-8000-0000000000aa" }

/** The ledger of a pipe, in a file of SQLite. */
const ledgerOf = (filename: string, pipeId: PipeId) => {
  const pipe = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO organization (id, name) VALUES (${organization.id}, 'x') ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${organization.service}, ${organization.id}, 'x')
      ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO pipe (id, organization_id, service_id, document)
      VALUES (${pipeId}, ${organization.id}, ${organization.service}, '{}')`
  })
  return SqlLedger.layer.pipe(
    Layer.provide(Layer.effectDiscard(pipe)),
    Layer.provide(SqlMigrations.layer),
    Layer.provide(NodeSqlite.layer({ filename }))
  )
}

/** What a pipe reads, and where it writes. */
export interface BenchPipe<E> {
  readonly source: Layer.Layer<Source, E>
  readonly columns: ReadonlyArray<Column>
  readonly fieldMappings?: ReadonlyArray<FieldMapping>
}

/** Moves a source until `rows` of it were moved. */
export const runPipe = Effect.fnUntraced(function* <E>(
  { engine, folder }: Environment,
  table: string,
  { columns, fieldMappings = [], source }: BenchPipe<E>,
  rows: number
) {
  const pipeId = PipeId.make(randomUUID())
  const destination = {
    database: "default",
    table,
    managedTable: true,
    columns: columns.map((column) => ({ ...column })),
    tableDefinition: { sortingKey: ["id"] }
  }
  const parts = Layer.mergeAll(
    source,
    ClickHouseWarehouse.layer({ destination, fieldMappings }).pipe(Layer.provide(Layer.succeed(ClickHouse, engine))),
    ledgerOf(join(folder, "ledger.sqlite"), pipeId)
  )
  const done = yield* Deferred.make<void>()
  const moving = movePipe({
    pipeId,
    limits: { rows: 100_000, bytes: 32 * 1024 * 1024, wait: Duration.millis(500) },
    inFlight: 4,
    partsPerInsert: 1,
    pipesOnTable: 1,
    report: (status) => (status.rows >= rows ? Effect.asVoid(Deferred.succeed(done, undefined)) : Effect.void)
  })
  const end = yield* Effect.provide(Effect.raceFirst(moving, Deferred.await(done)), parts)
  if (end !== undefined && end._tag !== "Completed") return yield* Effect.die(new Error(end.message ?? end._tag))
})
