import { type ApiKeyId, OrganizationId } from "@headgate/core"
import { keyNotFound, StoredApiKeys } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orDie } from "../internal/outage.ts"
import { keyColumns, KeyRow, toKey } from "./keyRow.ts"

const layer: Layer.Layer<StoredApiKeys, never, SqlClient.SqlClient> = Layer.effect(
  StoredApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const selectAll = SqlSchema.findAll({
      Request: OrganizationId,
      Result: KeyRow,
      execute: (organizationId) => sql`
        SELECT ${keyColumns(sql)} FROM api_key WHERE organization_id = ${organizationId} ORDER BY seq`
    })

    /** The statement answers the rows that it wrote. */
    const orNotFound = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      keyId: ApiKeyId,
      written: ReadonlyArray<object>
    ) {
      if (written.length === 0) return yield* keyNotFound(organizationId, keyId)
    })

    return StoredApiKeys.of({
      list: Effect.fn("SqlStoredApiKeys.list")(function* (organizationId) {
        const rows = yield* orDie(selectAll(organizationId))
        return rows.map(toKey)
      }),
      setState: Effect.fn("SqlStoredApiKeys.setState")(function* (organizationId, keyId, state) {
        const written = yield* orDie(sql`
          UPDATE api_key SET state = ${state} WHERE id = ${keyId} AND organization_id = ${organizationId} RETURNING id`)
        yield* orNotFound(organizationId, keyId, written)
      }),
      delete: Effect.fn("SqlStoredApiKeys.delete")(function* (organizationId, keyId) {
        const written = yield* orDie(sql`
          DELETE FROM api_key WHERE id = ${keyId} AND organization_id = ${organizationId} RETURNING id`)
        yield* orNotFound(organizationId, keyId, written)
      })
    })
  })
)

/**
 * The `StoredApiKeys` port over SQL, over any migrated `SqlClient`: what is done to a key here, every server over the
 * database feels at once. An outage of the database is a defect whose value is a `ServerError`.
 *
 * @example
 * ```ts
 * import type { ApiKeyId, OrganizationId } from "@headgate/core"
 * import { StoredApiKeys } from "@headgate/core/adapter"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const disable = (filename: string, organizationId: OrganizationId, keyId: ApiKeyId) =>
 *   StoredApiKeys.use((stored) => stored.setState(organizationId, keyId, "disabled")).pipe(
 *     Effect.provide(SqlAdapter.layerSqlite({ filename }))
 *   )
 * ```
 */
export const SqlStoredApiKeys = { layer }
