import { Token, TokenRecord } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** A row of `token`. */
export const TokenRow = Schema.Struct({ ...TokenRecord.fields, token: Schema.fromJsonString(Token) })

/** The columns that {@link TokenRow} reads. */
export const tokenColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`organization_id AS "organizationId", document AS token, token_hash AS "tokenHash"`
