import type { Forbidden, OrganizationId } from "@headgate/core"
import { noOrganization } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { forKeyShare } from "./transaction.ts"

/**
 * Fails, with `missing`, unless there is the organization. The transaction of every creation begins with it: in Postgres, a
 * removal of the organization waits until the transaction ends, and then removes what it created. In SQLite one transaction
 * writes at a time.
 */
export const makeRequireOrganization = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* <E = Forbidden>(
    organizationId: OrganizationId,
    missing: (organizationId: OrganizationId) => Forbidden | E = noOrganization
  ) {
    const found = yield* sql`SELECT id FROM organization WHERE id = ${organizationId} ${forKeyShare(sql)}`
    if (found.length === 0) return yield* Effect.fail(missing(organizationId))
  })
