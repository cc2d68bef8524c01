import { OrganizationId } from "@headgate/core"
import { makeToken, tokenNotFound, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orDie } from "../internal/outage.ts"
import { makeInsertToken } from "./insertToken.ts"
import { tokenColumns, TokenRow } from "./tokenRow.ts"

const layerNoDeps: Layer.Layer<Tokens, never, SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom> =
  Layer.effect(
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
          yield* orDie(insertToken(record))
          return created
        }, Effect.provideContext(crypto)),
        list: Effect.fn("SqlTokens.list")(function* (organizationId) {
          const rows = yield* orDie(selectAll(organizationId))
          return rows.map(({ token }) => token)
        }),
        revoke: Effect.fn("SqlTokens.revoke")(function* (organizationId, tokenId) {
          const deleted = yield* orDie(sql`
            DELETE FROM token WHERE id = ${tokenId} AND organization_id = ${organizationId} RETURNING id`)
          if (deleted.length === 0) return yield* tokenNotFound(organizationId, tokenId)
        })
      })
    })
  )

const layer: Layer.Layer<Tokens, never, SqlClient.SqlClient> = Layer.provide(layerNoDeps, [
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
])

/**
 * The `Tokens` port over SQL, over any migrated `SqlClient`. `layerNoDeps` leaves the cryptography to the caller. An
 * outage of the database is a defect whose value is a `ServerError`.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { Tokens } from "@headgate/core/adapter"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // What `headgate-server token list` does: `SqlAdapter` has this port beside the others.
 * export const tokensOf = (filename: string, organizationId: OrganizationId) =>
 *   Tokens.use((tokens) => tokens.list(organizationId)).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename })))
 * ```
 */
export const SqlTokens = { layer, layerNoDeps }
