import { ApiKey } from "@headgate/core"
import type { ApiKeyRecord } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"

const encodeKey = Schema.encodeEffect(Schema.fromJsonString(ApiKey))

/**
 * Inserts a key unless its id or its `keyIdHash` is taken; answers whether it did. What changes of a key has columns
 * and no place in the document.
 */
export const makeInsertKey = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ key, keyIdHash, keySecretHash, organizationId }: ApiKeyRecord) {
    const { state, usedAt, ...lasting } = key
    const document = yield* encodeKey(lasting)
    const usedAtMillis = Predicate.isNotNullish(usedAt) ? usedAt.epochMilliseconds : null
    const inserted = yield* sql`
      INSERT INTO api_key (id, organization_id, key_id_hash, key_secret_hash, state, used_at, document)
      VALUES (${key.id}, ${organizationId}, ${keyIdHash}, ${keySecretHash}, ${state ?? "enabled"}, ${usedAtMillis},
        ${document})
      ON CONFLICT DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })
