import { Dashboard, OrganizationId, Pipe, ServiceId } from "@headgate/core"
import type { SnapshotContent } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Statement } from "effect/sql/Statement"
import { tokenColumns, TokenRow } from "../access/TokenRow.ts"
import { keyColumns, KeyRow, toKeyRecord } from "../key/KeyRow.ts"

const OrganizationRow = Schema.Struct({ id: OrganizationId, name: Schema.String })
const ServiceRow = Schema.Struct({ id: ServiceId, organizationId: OrganizationId, name: Schema.String })
const PipeRow = Schema.Struct({ organizationId: OrganizationId, pipe: Schema.fromJsonString(Pipe) })
const DashboardRow = Schema.Struct({ organizationId: OrganizationId, dashboard: Schema.fromJsonString(Dashboard) })

const all = <Row extends Schema.Constraint>(Result: Row, statement: Statement<object>) =>
  SqlSchema.findAll({ Request: Schema.Void, Result, execute: () => statement })()

/** All that the database holds, in the order of insertion, as of one moment. */
export const makeExportRows = (sql: SqlClient.SqlClient) => {
  const owner = sql`organization_id AS "organizationId"`
  const content = Effect.gen(function* () {
    const exported: SnapshotContent = {
      organizations: yield* all(OrganizationRow, sql`SELECT id, name FROM organization ORDER BY seq`),
      services: yield* all(ServiceRow, sql`SELECT id, ${owner}, name FROM service ORDER BY seq`),
      pipes: yield* all(PipeRow, sql`SELECT ${owner}, document AS pipe FROM pipe ORDER BY seq`),
      keys: (yield* all(KeyRow, sql`SELECT ${keyColumns(sql)} FROM api_key ORDER BY seq`)).map(toKeyRecord),
      tokens: yield* all(TokenRow, sql`SELECT ${tokenColumns(sql)} FROM token ORDER BY seq`),
      dashboards: yield* all(DashboardRow, sql`SELECT ${owner}, document AS dashboard FROM dashboard ORDER BY seq`)
    }
    return exported
  })
  // One snapshot for all the statements. It needs no right to write: in SQLite, no writer waits for it either.
  const begin = sql.onDialectOrElse({
    pg: () => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    orElse: () => "BEGIN DEFERRED"
  })
  return sql.withTransaction(content).pipe(Effect.provideService(SqlClient.BeginTransaction, begin))
}
