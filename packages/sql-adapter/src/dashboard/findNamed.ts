import type { OrganizationId, ServerError } from "@headgate/core"
import {
  alertsOfDashboard,
  builtInIds,
  type FindNamed,
  type NamedKind,
  type NamedResource
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isStorable } from "../internal/storableText.ts"
import { kindTables } from "../internal/tables.ts"
import { forKeyShare, forNoKeyUpdate, forUpdate } from "../internal/transaction.ts"

const Rows = Schema.Array(Schema.Struct({ id: Schema.String, document: Schema.fromJsonString(Schema.Json) }))
const decodeRows = Schema.decodeUnknownEffect(Rows)

const resourcesOf = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(rows), (rows) =>
    rows.map(({ document, id }): NamedResource => ({ ...(typeof document === "object" ? document : {}), id }))
  )

/** At the end of a SELECT of alerts: locks them in the same order in every transaction. */
const inOrder = (sql: SqlClient.SqlClient) => sql`ORDER BY seq ${forUpdate(sql)}`

/**
 * Reads what a document of an organization names, or what names it, in the transaction of a write. In Postgres, what is read by id
 * is not changed or deleted until that ends, and of the transactions that read all webhooks one runs at a time: each sees what the one
 * before has written. Alerts are read to be deleted with what they name: they are locked, so that one which names something else
 * meanwhile stays, and before the transaction writes, so that none waits for what the other one has.
 */
export const findNamed = (sql: SqlClient.SqlClient) => {
  const all = Effect.fnUntraced(function* (organizationId: OrganizationId, kind: NamedKind) {
    if (kind === "webhooks") yield* sql`SELECT id FROM organization WHERE id = ${organizationId} ${forNoKeyUpdate(sql)}`
    const lock = kind === "alerts" ? inOrder(sql) : sql``
    return yield* sql`
      SELECT id, document FROM ${sql(kindTables[kind].table)} WHERE organization_id = ${organizationId} ${lock}`
  })
  const withIds = (organizationId: OrganizationId, kind: NamedKind, ids: ReadonlyArray<string>) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql`SELECT id, document FROM ${sql(kindTables[kind].table)}
          WHERE organization_id = ${organizationId} AND id IN ${sql.in(ids)} ${forKeyShare(sql)}`
  return (organizationId: OrganizationId): FindNamed<SqlError | Schema.SchemaError | ServerError> =>
    Effect.fnUntraced(function* (kind, ids) {
      // No row has an ID that no database stores.
      const rows = ids === undefined ? all(organizationId, kind) : withIds(organizationId, kind, ids.filter(isStorable))
      const found = yield* resourcesOf(yield* rows)
      if (kind !== "connections") return found
      const builtIn = yield* builtInIds(organizationId, ids ?? [])
      return [...found, ...builtIn.map((id) => ({ id }))]
    })
}

/** Deletes alerts of an organization. */
export const deleteAlerts = (sql: SqlClient.SqlClient, organizationId: OrganizationId, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.void
    : Effect.asVoid(sql`DELETE FROM alert WHERE organization_id = ${organizationId} AND id IN ${sql.in(ids)}`)

/**
 * Deletes the alerts of a dashboard whose tiles are not in `left`, in the transaction in which it is replaced or deleted: after the
 * dashboard was locked, and before anything is written.
 */
export const makeDeleteAlertsOf = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    dashboardId: string,
    left: ReadonlyArray<{ readonly id?: unknown }> = []
  ) {
    // Its text is in the document of each alert that names it: no other one is read.
    const text = JSON.stringify(dashboardId)
    const names = sql.onDialectOrElse({
      pg: () => sql`strpos(document, ${text}) > 0`,
      orElse: () => sql`instr(document, ${text}) > 0`
    })
    const rows = yield* sql`
      SELECT id, document FROM alert WHERE organization_id = ${organizationId} AND ${names} ${inOrder(sql)}`
    if (rows.length === 0) return
    yield* deleteAlerts(sql, organizationId, alertsOfDashboard(yield* resourcesOf(rows), dashboardId, left))
  })
