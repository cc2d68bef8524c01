import { ApiKeys, OrganizationId } from "@headgate/core"
import { type ApiKeyRecord, duplicateKeyId, makeApiKey, maxApiKeys, tooManyApiKeys } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerFault } from "../internal/outage.ts"
import { organizationTurn, writing } from "../internal/turns.ts"
import { makeInsertKey } from "./insertKey.ts"

const layerNoDeps: Layer.Layer<ApiKeys, never, SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom> =
  Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const insertKey = makeInsertKey(sql)

      // A cast, since Postgres counts in bigint, which its driver reads as text.
      const selectCount = SqlSchema.findAll({
        Request: OrganizationId,
        Result: Schema.Struct({ count: Schema.Int }),
        execute: (organizationId) => sql`
          SELECT CAST(COUNT(*) AS INTEGER) AS count FROM api_key WHERE organization_id = ${organizationId}`
      })

      const insertWithinLimit = Effect.fnUntraced(function* (record: ApiKeyRecord) {
        yield* organizationTurn(sql, record.organizationId)
        const [row] = yield* selectCount(record.organizationId)
        if (row === undefined || row.count >= maxApiKeys) return yield* tooManyApiKeys()
        if (!(yield* insertKey(record))) return yield* duplicateKeyId()
      })

      return ApiKeys.of({
        create: Effect.fnUntraced(function* (organizationId, request) {
          const { created, record } = yield* makeApiKey(organizationId, request).pipe(
            Effect.provideService(Digest.Digest, digest),
            Effect.provideService(SecureRandom.SecureRandom, random)
          )
          // One transaction, so that the count still holds when the key is inserted.
          yield* writing(sql)(insertWithinLimit(record))
          return created
        }, orServerFault)
      })
    })
  )

const layer: Layer.Layer<ApiKeys, never, SqlClient.SqlClient> = Layer.provide(layerNoDeps, [
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
])

/**
 * The `ApiKeys` port over SQL, over any migrated `SqlClient`. `layerNoDeps` leaves the cryptography to the caller. The
 * limit of keys is exact, also between servers. An outage of the database is a `ServerError`: whether the key was made
 * is not known then.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlApiKeys, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 *
 * // One port alone. `SqlAdapter` is all of them.
 * export const layer = SqlApiKeys.layer.pipe(
 *   Layer.provide(SqlMigrations.layer),
 *   Layer.provide(NodeSqlite.layer({ filename: ".headgate/headgate.db" }))
 * )
 * ```
 */
export const SqlApiKeys = { layer, layerNoDeps }
