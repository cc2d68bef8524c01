import { OrganizationId } from "@headgate/core"
import { makeToken, Token, notFound, TokenId, TokenRecord, Tokens } from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { dieOnOutage } from "../internal/outage.ts"
import { makeRequireOrganization } from "../internal/requireOrganization.ts"
import { forUpdate, writeStatement, writeTransaction } from "../internal/transaction.ts"

/** A row of `token`. */
export const TokenRow = Schema.Struct({
  ...TokenRecord.fields,
  token: Schema.fromJsonString(Token),
  grants: Schema.fromJsonString(TokenRecord.fields.grants)
})

/** The columns that {@link TokenRow} reads. */
export const tokenColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`organization_id AS "organizationId", document AS token, token_hash AS "tokenHash", grants`

const encodeRow = Schema.encodeEffect(TokenRow)

/** Inserts a token unless its id or its `tokenHash` is taken. Returns whether it inserted the token. */
export const makeInsertToken = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (record: TokenRecord) {
    const { grants, organizationId, token, tokenHash } = yield* encodeRow(record)
    const inserted = yield* sql`
      INSERT INTO token (id, organization_id, token_hash, document, grants)
      VALUES (${record.token.id}, ${organizationId}, ${tokenHash}, ${token}, ${grants})
      ON CONFLICT DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })

const TokenKey = Schema.Struct({ organizationId: OrganizationId, tokenId: TokenId })

const layer: Layer.Layer<Tokens, never, SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom> = Layer.effect(
  Tokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()
    const insertToken = makeInsertToken(sql)
    const requireOrganization = makeRequireOrganization(sql)

    const selectAll = SqlSchema.findAll({
      Request: OrganizationId,
      Result: TokenRow,
      execute: (organizationId) => sql`
          SELECT ${tokenColumns(sql)} FROM token WHERE organization_id = ${organizationId} ORDER BY seq`
    })

    const find = SqlSchema.findOneOption({
      Request: TokenKey,
      Result: TokenRow,
      execute: ({ organizationId, tokenId }) => sql`
          SELECT ${tokenColumns(sql)} FROM token
          WHERE id = ${tokenId} AND organization_id = ${organizationId} ${forUpdate(sql)}`
    })

    return Tokens.of({
      create: Effect.fn("SqlTokens.create")(function* (organizationId, name) {
        const { created, record } = yield* makeToken(organizationId, name)
        const insert = Effect.andThen(requireOrganization(organizationId), insertToken(record))
        yield* Effect.catchTag(dieOnOutage(writeTransaction(sql)(insert)), "Forbidden", Effect.die)
        return created
      }, Effect.provideContext(crypto)),
      list: Effect.fn("SqlTokens.list")(function* (organizationId) {
        const rows = yield* dieOnOutage(selectAll(organizationId))
        return rows.map(({ token }) => token)
      }),
      grant: Effect.fn("SqlTokens.grant")(function* (organizationId, tokenId, permission) {
        const change = Effect.gen(function* () {
          const found = yield* find({ organizationId, tokenId })
          if (Option.isNone(found)) return yield* notFound("TokenNotFound", { organizationId, tokenId })
          const { grants } = yield* encodeRow({
            ...found.value,
            grants: Arr.union(found.value.grants, [permission])
          })
          yield* sql`UPDATE token SET grants = ${grants} WHERE id = ${tokenId}`
        })
        yield* dieOnOutage(writeTransaction(sql)(change))
      }),
      revoke: Effect.fn("SqlTokens.revoke")(function* (organizationId, tokenId) {
        const statement = sql`
            DELETE FROM token WHERE id = ${tokenId} AND organization_id = ${organizationId} RETURNING id`
        const deleted = yield* dieOnOutage(writeStatement(sql)(statement))
        if (deleted.length === 0) return yield* notFound("TokenNotFound", { organizationId, tokenId })
      })
    })
  })
)

/** The `Tokens` port over SQL. */
export const SqlTokens = { layer }
