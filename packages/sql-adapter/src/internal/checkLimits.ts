import type { OrganizationId } from "@headgate/core"
import {
  type CountedKind,
  limitRules,
  OrganizationLimits,
  type OrganizationUsage,
  organizationUsage
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { countColumns } from "./tables.ts"

// Deleted pipes that are not cleaned up count, so that no caller fills the store with them. The casts are for Postgres, whose
// driver reads a BIGINT as a `bigint`.
const counts = countColumns
  .map(([kind, column]) => (kind === "pipes" ? "CAST(pipes + kept AS INTEGER) AS pipes" : `${column} AS "${kind}"`))
  .join(", ")

const makeUsageOf = (sql: SqlClient.SqlClient) => (organizationId: OrganizationId) =>
  Effect.map(
    sql<OrganizationUsage>`
      SELECT ${sql.literal(counts)}, CAST(document_bytes + kept_bytes AS DOUBLE PRECISION) AS "documentBytes"
      FROM organization_usage, (
        SELECT COUNT(*) AS kept, COALESCE(SUM(octet_length(document)), 0) AS kept_bytes
        FROM deleted_pipe WHERE organization_id = ${organizationId}
      ) AS deleted
      WHERE organization_id = ${organizationId}`,
    ([usage]) => usage
  )

/**
 * Fails with a `Conflict` if what was just created makes the organization exceed a limit; the transaction of the creation
 * must then roll back. The insert locked the row that this reads: no other transaction creates until this one ends. `coming`: how
 * many are about to be created, for a check before that transaction.
 */
export const makeCheckLimits = (sql: SqlClient.SqlClient) => {
  const usageOf = makeUsageOf(sql)
  return Effect.fnUntraced(function* (created: CountedKind, organizationId: OrganizationId, coming = 0) {
    const limits = yield* OrganizationLimits
    const usage = (yield* usageOf(organizationId)) ?? organizationUsage(0)
    const exceeded = limitRules.created(created, { ...usage, [created]: usage[created] + coming }, limits)
    if (exceeded !== undefined) return yield* exceeded
  })
}

/** As {@link makeCheckLimits}, for a document that was just replaced: only the bytes of all documents are limited. */
export const makeCheckBytes = (sql: SqlClient.SqlClient) => {
  const usageOf = makeUsageOf(sql)
  return Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const limits = yield* OrganizationLimits
    const usage = yield* usageOf(organizationId)
    const exceeded = usage === undefined ? undefined : limitRules.bytes(usage, limits)
    if (exceeded !== undefined) return yield* exceeded
  })
}
