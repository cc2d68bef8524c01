import { Service, ServiceId, Timestamp } from "@headgate/core"
import { makeService } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const encodeService = Schema.encodeEffect(Schema.fromJsonString(Service))
const encodeTimestamp = Schema.encodeEffect(Timestamp)

/**
 * Every field of services and organizations: those that exist get the defaults, as if they were imported now. A service in
 * a passing state goes on at `due_at`, in milliseconds since 1970.
 */
export const extendServices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organization ADD COLUMN created_at TEXT NOT NULL DEFAULT ''`
  yield* sql`UPDATE organization SET created_at = ${yield* encodeTimestamp(yield* DateTime.now)}`
  yield* sql`ALTER TABLE service ADD COLUMN document TEXT NOT NULL DEFAULT '{}'`
  yield* sql`ALTER TABLE service ADD COLUMN state TEXT NOT NULL DEFAULT 'running'`
  yield* sql`ALTER TABLE service ADD COLUMN due_at BIGINT`
  const services = yield* sql<{ readonly id: string; readonly name: string }>`SELECT id, name FROM service`
  for (const { id, name } of services) {
    const document = yield* encodeService(yield* makeService({ id: ServiceId.make(id), name }))
    yield* sql`UPDATE service SET document = ${document} WHERE id = ${id}`
  }
})
