import { OrganizationId, ReversePrivateEndpoint } from "@headgate/core"
import { endpointRules, withVersion } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { makeStepDue, nowColumn } from "../internal/storeClock.ts"

/** A row of `reverse_private_endpoint`. It is provisioned at `due`; NULL: it is. */
const EndpointRow = Schema.Struct({
  organizationId: OrganizationId,
  document: Schema.fromJsonString(ReversePrivateEndpoint),
  version: Schema.Int,
  due: Schema.NullOr(Schema.Number),
  now: Schema.NullOr(Schema.Number)
})

/** The endpoint with its status of now. `clock` counts where the database has none. */
const toEndpoint = (
  { document, due, now, version }: typeof EndpointRow.Type,
  clock: number
): ReversePrivateEndpoint => {
  const status = due === null || due > (now ?? clock) ? undefined : endpointRules.nextStatus(document)
  return withVersion(status === undefined ? document : { ...document, status }, version)
}

/** Selects endpoints as they are now; `rest` follows `FROM reverse_private_endpoint`. */
export const makeSelectEndpoints = (sql: SqlClient.SqlClient) => {
  const select = SqlSchema.findAll({
    Request: Schema.Any,
    Result: EndpointRow,
    // The cast is for Postgres, whose driver reads a BIGINT as text.
    execute: (rest) => sql`
      SELECT organization_id AS "organizationId", document, version, CAST(due_at AS DOUBLE PRECISION) AS due,
        ${nowColumn(sql)}
      FROM reverse_private_endpoint ${rest}`
  })
  return Effect.fnUntraced(function* (rest: Fragment) {
    const rows = yield* select(rest)
    const clock = yield* Clock.currentTimeMillis
    return rows.map((row) => ({
      organizationId: row.organizationId,
      version: row.version,
      endpoint: toEndpoint(row, clock)
    }))
  })
}

/** An endpoint as it is stored. */
export const encodeEndpoint = Schema.encodeEffect(Schema.fromJsonString(ReversePrivateEndpoint))

/** Inserts an endpoint unless its id is taken. Returns whether it inserted the endpoint. */
export const makeInsertEndpoint = (sql: SqlClient.SqlClient) => {
  const stepDue = makeStepDue(sql)
  return Effect.fnUntraced(function* (organizationId: OrganizationId, endpoint: ReversePrivateEndpoint) {
    const { id, serviceId } = endpoint
    const document = yield* encodeEndpoint(endpoint)
    const due = endpointRules.nextStatus(endpoint) === undefined ? null : yield* stepDue
    const inserted = yield* sql`
      INSERT INTO reverse_private_endpoint (id, organization_id, service_id, document, due_at)
      VALUES (${id}, ${organizationId}, ${serviceId}, ${document}, ${due})
      ON CONFLICT (id) DO NOTHING RETURNING id`
    return inserted.length > 0
  })
}
