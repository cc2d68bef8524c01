import { Service, ServiceId, Timestamp } from "@headgate/core"
import { makeService } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { countDocuments } from "./countDocuments.ts"

const encodeService = Schema.encodeEffect(Schema.fromJsonString(Service))
const encodeTimestamp = Schema.encodeEffect(Timestamp)

/**
 * Reverse private endpoints, the size of the replica of database pipes, and every field of services and organizations: those that exist get the defaults, as if they were imported now. A service in
 * a passing state goes on at `due_at`, in milliseconds since 1970.
 */
export const extendServices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organization ADD COLUMN created_at TEXT NOT NULL DEFAULT ''`
  yield* sql`UPDATE organization SET created_at = ${yield* encodeTimestamp(yield* DateTime.now)}`
  yield* sql`ALTER TABLE service ADD COLUMN document TEXT NOT NULL DEFAULT '{}'`
  yield* sql`ALTER TABLE service ADD COLUMN state TEXT NOT NULL DEFAULT 'running'`
  yield* sql`ALTER TABLE service ADD COLUMN due_at BIGINT`
  // The size of the replica of database pipes as JSON; NULL: nobody has changed it.
  yield* sql`ALTER TABLE service ADD COLUMN cdc_scaling TEXT`
  const seq = sql.onDialectOrElse({
    pg: () => sql.literal("seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    orElse: () => sql.literal("seq INTEGER PRIMARY KEY AUTOINCREMENT")
  })
  yield* sql`CREATE TABLE reverse_private_endpoint (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organization (id),
    service_id TEXT NOT NULL REFERENCES service (id),
    document TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    due_at BIGINT
  )`
  yield* sql`CREATE INDEX reverse_private_endpoint_service ON reverse_private_endpoint (service_id, seq)`
  yield* countDocuments("reverse_private_endpoint", "endpoints")
  const services = yield* sql<{ readonly id: string; readonly name: string }>`SELECT id, name FROM service`
  for (const { id, name } of services) {
    const document = yield* encodeService(yield* makeService({ id: ServiceId.make(id), name }))
    yield* sql`UPDATE service SET document = ${document} WHERE id = ${id}`
  }
})
