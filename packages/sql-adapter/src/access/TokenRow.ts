import { Token, TokenRecord } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** A row of `token`. */
export const TokenRow = Schema.Struct({ ...TokenRecord.fields, token: Schema.fromJsonString(Token) })

/** The columns that {@link TokenRow} reads. */
export const tokenColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`organization_id AS "organizationId", document AS token, token_hash AS "tokenHash"`

const encodeToken = Schema.encodeEffect(Schema.fromJsonString(Token))

/** Inserts a token unless its id or its `tokenHash` is taken; answers whether it did. */
export const makeInsertToken = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ organizationId, token, tokenHash }: TokenRecord) {
    const document = yield* encodeToken(token)
    const inserted = yield* sql`
      INSERT INTO token (id, organization_id, token_hash, document)
      VALUES (${token.id}, ${organizationId}, ${tokenHash}, ${document})
      ON CONFLICT DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })
