import { type ApiKeyId, OrganizationId } from "@headgate/core"
import { keyNotFound, StoredApiKeys } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Statement } from "effect/sql/Statement"
import { dieOnOutage } from "../internal/outage.ts"
import { writeStatement } from "../internal/transaction.ts"
import { keyColumns, KeyRow, toKey } from "./KeyRow.ts"

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

    /** Runs a statement that returns the rows it wrote. */
    const writeKey = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      keyId: ApiKeyId,
      statement: Statement<object>
    ) {
      const written = yield* dieOnOutage(writeStatement(sql)(statement))
      if (written.length === 0) return yield* keyNotFound(organizationId, keyId)
    })

    return StoredApiKeys.of({
      list: Effect.fn("SqlStoredApiKeys.list")(function* (organizationId) {
        const rows = yield* dieOnOutage(selectAll(organizationId))
        return rows.map(toKey)
      }),
      setState: Effect.fn("SqlStoredApiKeys.setState")(function* (organizationId, keyId, state) {
        const statement = sql`
          UPDATE api_key SET state = ${state} WHERE id = ${keyId} AND organization_id = ${organizationId} RETURNING id`
        yield* writeKey(organizationId, keyId, statement)
      }),
      delete: Effect.fn("SqlStoredApiKeys.delete")(function* (organizationId, keyId) {
        const statement = sql`
          DELETE FROM api_key WHERE id = ${keyId} AND organization_id = ${organizationId} RETURNING id`
        yield* writeKey(organizationId, keyId, statement)
      })
    })
  })
)

/** The `StoredApiKeys` port over SQL: a change is in force on every server over the database at once. */
export const SqlStoredApiKeys = { layer }
