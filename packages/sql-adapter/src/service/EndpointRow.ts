import { OrganizationId, ReversePrivateEndpoint } from "@headgate/core"
import { nextEndpointStatus, StepLength, withVersion } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { nowMillis } from "../internal/storeClock.ts"

/** A row of `reverse_private_endpoint`. `dueIn` are the milliseconds until it is provisioned; not positive: it is. */
const EndpointRow = Schema.Struct({
  organizationId: OrganizationId,
  document: Schema.fromJsonString(ReversePrivateEndpoint),
  version: Schema.Int,
  dueIn: Schema.NullOr(Schema.Number)
})

/** The endpoint with its status of now. */
const toEndpoint = ({ document, dueIn, version }: typeof EndpointRow.Type): ReversePrivateEndpoint => {
  const status = dueIn === null || dueIn > 0 ? undefined : nextEndpointStatus(document)
  return withVersion(status === undefined ? document : { ...document, status }, version)
}

/** Selects endpoints as they are now; `rest` follows `FROM reverse_private_endpoint`. */
export const makeSelectEndpoints = (sql: SqlClient.SqlClient) => {
  const select = SqlSchema.findAll({
    Request: Schema.Struct({ now: Schema.Any, rest: Schema.Any }),
    Result: EndpointRow,
    // The cast is for Postgres, whose driver reads a BIGINT as text.
    execute: ({ now, rest }) => sql`
      SELECT organization_id AS "organizationId", document, version,
        CAST(due_at - ${now} AS DOUBLE PRECISION) AS "dueIn"
      FROM reverse_private_endpoint ${rest}`
  })
  return (rest: Fragment) =>
    Effect.flatMap(nowMillis(sql), (now) =>
      Effect.map(select({ now, rest }), (rows) =>
        rows.map((row) => ({ organizationId: row.organizationId, version: row.version, endpoint: toEndpoint(row) }))
      )
    )
}

/** An endpoint as it is stored. */
export const encodeEndpoint = Schema.encodeEffect(Schema.fromJsonString(ReversePrivateEndpoint))

/** Inserts an endpoint unless its id is taken. Returns whether it inserted the endpoint. */
export const makeInsertEndpoint = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, endpoint: ReversePrivateEndpoint) {
    const { id, serviceId } = endpoint
    const document = yield* encodeEndpoint(endpoint)
    const due =
      nextEndpointStatus(endpoint) === undefined
        ? sql`NULL`
        : sql`${yield* nowMillis(sql)} + ${Duration.toMillis(yield* StepLength)}`
    const inserted = yield* sql`
      INSERT INTO reverse_private_endpoint (id, organization_id, service_id, document, due_at)
      VALUES (${id}, ${organizationId}, ${serviceId}, ${document}, ${due})
      ON CONFLICT (id) DO NOTHING RETURNING id`
    return inserted.length > 0
  })
