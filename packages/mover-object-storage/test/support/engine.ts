// The ClickHouse engine for tests: the package "chdb", which has 540 MB and is no dependency of this project.
import { PipeId } from "@headgate/core"
import { ClickHouseEngine } from "@headgate/mover-clickhouse"
import { NodeSqlite, SqlMigrations } from "@headgate/sql-adapter"
import { SqlLedger } from "@headgate/sql-adapter/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { env } from "node:process"

const folder = env["HEADGATE_CHDB"]

/** Whether the engine is installed. With HEADGATE_REQUIRE_CHDB=1 it must be. */
export const hasEngine = (): boolean => {
  const isInstalled = folder !== undefined && existsSync(join(folder, "node_modules/chdb/package.json"))
  const missing = "objects into the engine: NOT TESTED, for HEADGATE_CHDB names no folder with the package chdb"
  if (!isInstalled && env["HEADGATE_REQUIRE_CHDB"] === "1") throw new Error(missing)
  if (!isInstalled) console.error(`\n${missing}\n`)
  return isInstalled
}

/** The engine in this process, with its data in a folder. A process opens one folder. */
export const engineIn = (directory: string) =>
  ClickHouseEngine.layerEmbedded({
    database: "default",
    directory,
    load: () => Promise.resolve<unknown>(createRequire(join(folder ?? "", "chdb.cjs"))("chdb/connection"))
  })

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
