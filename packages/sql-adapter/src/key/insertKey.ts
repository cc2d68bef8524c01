import { ApiKey, type ApiKeyRecord } from "@headgate/core/key"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"

const encodeKey = Schema.encodeEffect(Schema.fromJsonString(ApiKey))

/** Inserts a key unless its id or its `keyIdHash` is taken; answers whether it did. */
export const makeInsertKey = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ key, keyIdHash, keySecretHash, organizationId }: ApiKeyRecord) {
    const document = yield* encodeKey(key)
    const inserted = yield* sql`
      INSERT INTO api_key (id, organization_id, key_id_hash, key_secret_hash, document)
      VALUES (${key.id}, ${organizationId}, ${keyIdHash}, ${keySecretHash}, ${document})
      ON CONFLICT DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })
