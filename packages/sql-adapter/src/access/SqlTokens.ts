import { OrganizationId } from "@headgate/core"
import { makeToken, tokenNotFound, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { dieOnOutage } from "../internal/outage.ts"
import { writeStatement } from "../internal/transaction.ts"
import { makeInsertToken, tokenColumns, TokenRow } from "./TokenRow.ts"

const layer: Layer.Layer<Tokens, never, SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom> = Layer.effect(
  Tokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()
    const insertToken = makeInsertToken(sql)

    const selectAll = SqlSchema.findAll({
      Request: OrganizationId,
      Result: TokenRow,
      execute: (organizationId) => sql`
          SELECT ${tokenColumns(sql)} FROM token WHERE organization_id = ${organizationId} ORDER BY seq`
    })

    return Tokens.of({
      create: Effect.fn("SqlTokens.create")(function* (organizationId, name) {
        const { created, record } = yield* makeToken(organizationId, name)
        yield* dieOnOutage(writeStatement(sql)(insertToken(record)))
        return created
      }, Effect.provideContext(crypto)),
      list: Effect.fn("SqlTokens.list")(function* (organizationId) {
        const rows = yield* dieOnOutage(selectAll(organizationId))
        return rows.map(({ token }) => token)
      }),
      revoke: Effect.fn("SqlTokens.revoke")(function* (organizationId, tokenId) {
        const statement = sql`
            DELETE FROM token WHERE id = ${tokenId} AND organization_id = ${organizationId} RETURNING id`
        const deleted = yield* dieOnOutage(writeStatement(sql)(statement))
        if (deleted.length === 0) return yield* tokenNotFound(organizationId, tokenId)
      })
    })
  })
)

/** The `Tokens` port over SQL. */
export const SqlTokens = { layer }
