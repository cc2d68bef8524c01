import { Dashboard, type OrganizationId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"

const encodeDashboard = Schema.encodeEffect(Schema.fromJsonString(Dashboard))

/** Inserts a dashboard unless its id is taken; answers whether it did. */
export const makeInsertDashboard = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, dashboard: Dashboard) {
    const document = yield* encodeDashboard(dashboard)
    const inserted = yield* sql`
      INSERT INTO dashboard (id, organization_id, document)
      VALUES (${dashboard.id}, ${organizationId}, ${document})
      ON CONFLICT (id) DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })
