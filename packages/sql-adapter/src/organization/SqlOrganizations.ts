import { OrganizationId, Organizations, Timestamp } from "@headgate/core"
import { notFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerError } from "../internal/outage.ts"

/** A row of `organization`. */
export const OrganizationRow = Schema.Struct({ id: OrganizationId, name: Schema.String, createdAt: Timestamp })

const layer: Layer.Layer<Organizations, never, SqlClient.SqlClient> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const selectAll = SqlSchema.findAll({
      Request: Schema.Void,
      Result: OrganizationRow,
      execute: () => sql`SELECT id, name, created_at AS "createdAt" FROM organization ORDER BY seq`
    })
    const select = SqlSchema.findAll({
      Request: OrganizationId,
      Result: OrganizationRow,
      execute: (id) => sql`SELECT id, name, created_at AS "createdAt" FROM organization WHERE id = ${id}`
    })

    return Organizations.of({
      list: Effect.fn("SqlOrganizations.list")(() => orServerError(selectAll())),
      get: Effect.fn("SqlOrganizations.get")(function* ({ organizationId }) {
        const [organization] = yield* orServerError(select(organizationId))
        return organization ?? (yield* notFound("OrganizationNotFound", { organizationId }))
      }),
      whoami: () => Effect.succeed({})
    })
  })
)

/** The `Organizations` port over SQL. */
export const SqlOrganizations = { layer }
