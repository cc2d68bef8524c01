import { ApiKey, ApiKeyState } from "@headgate/core"
import { ApiKeyRecord } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** A row of `api_key`: the fields of a key that change have columns, all others are in the document. */
export const KeyRow = Schema.Struct({
  organizationId: ApiKeyRecord.fields.organizationId,
  keyIdHash: Schema.String,
  keySecretHash: Schema.String,
  state: ApiKeyState,
  usedAt: Schema.NullOr(Schema.DateTimeUtcFromMillis),
  version: Schema.Int,
  document: Schema.fromJsonString(ApiKey)
})
type KeyRow = typeof KeyRow.Type

/** The columns that {@link KeyRow} reads. The cast is for Postgres, whose driver reads a BIGINT as a `bigint`. */
export const keyColumns = (sql: SqlClient.SqlClient): Fragment => sql`
  organization_id AS "organizationId", key_id_hash AS "keyIdHash", key_secret_hash AS "keySecretHash", state,
  CAST(used_at AS DOUBLE PRECISION) AS "usedAt", version, document`

/** The stored key with the fields that have columns. */
const toKey = ({ document, state, usedAt }: KeyRow): ApiKey => ({
  ...document,
  state,
  ...(usedAt === null ? {} : { usedAt })
})

/** The key with its organization and its hashes. */
export const toKeyRecord = (row: KeyRow): ApiKeyRecord => ({
  organizationId: row.organizationId,
  key: toKey(row),
  keyIdHash: row.keyIdHash,
  keySecretHash: row.keySecretHash
})

const encodeJson = Schema.encodeEffect(Schema.fromJsonString(ApiKey))

/** The document of a key, without the fields that have columns. */
export const encodeKey = ({ state: _state, usedAt: _usedAt, ...lasting }: ApiKey) => encodeJson(lasting)

/** Inserts a key unless its id or its `keyIdHash` is taken. Returns whether it inserted the key. */
export const makeInsertKey = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ key, keyIdHash, keySecretHash, organizationId }: ApiKeyRecord) {
    const { state, usedAt } = key
    const document = yield* encodeKey(key)
    const usedAtMillis = Predicate.isNotNullish(usedAt) ? usedAt.epochMilliseconds : null
    const inserted = yield* sql`
      INSERT INTO api_key (id, organization_id, key_id_hash, key_secret_hash, state, used_at, document)
      VALUES (${key.id}, ${organizationId}, ${keyIdHash}, ${keySecretHash}, ${state ?? "enabled"}, ${usedAtMillis},
        ${document})
      ON CONFLICT DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })
