import { ApiKey, ApiKeyState } from "@headgate/core"
import { ApiKeyRecord } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** A row of `api_key`: what changes of a key has columns, all else is in the document. */
export const KeyRow = Schema.Struct({
  organizationId: ApiKeyRecord.fields.organizationId,
  keyIdHash: Schema.String,
  keySecretHash: Schema.String,
  state: ApiKeyState,
  usedAt: Schema.NullOr(Schema.DateTimeUtcFromMillis),
  document: Schema.fromJsonString(ApiKey)
})
type KeyRow = typeof KeyRow.Type

/** The columns that {@link KeyRow} reads. The cast is for Postgres, whose driver reads a BIGINT as a `bigint`. */
export const keyColumns = (sql: SqlClient.SqlClient): Fragment => sql`
  organization_id AS "organizationId", key_id_hash AS "keyIdHash", key_secret_hash AS "keySecretHash", state,
  CAST(used_at AS DOUBLE PRECISION) AS "usedAt", document`

/** The key, its changing fields put back. */
export const toKey = ({ document, state, usedAt }: KeyRow): ApiKey => ({
  ...document,
  state,
  ...(usedAt === null ? {} : { usedAt })
})

/** What a store keeps of the key. */
export const toKeyRecord = (row: KeyRow): ApiKeyRecord => ({
  organizationId: row.organizationId,
  key: toKey(row),
  keyIdHash: row.keyIdHash,
  keySecretHash: row.keySecretHash
})
