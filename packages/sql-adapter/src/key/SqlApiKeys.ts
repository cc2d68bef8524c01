import { ApiKeys, OrganizationId } from "@headgate/core"
import { type ApiKeyRecord, duplicateKeyId, makeApiKey, maxApiKeys, tooManyApiKeys } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { lockOrganization } from "../internal/advisoryLocks.ts"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"
import { makeInsertKey } from "./KeyRow.ts"

const layer: Layer.Layer<ApiKeys, never, SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom> =
  Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const insertKey = makeInsertKey(sql)

      // Cast, because Postgres counts in BIGINT, which its driver reads as text.
      const selectCount = SqlSchema.findAll({
        Request: OrganizationId,
        Result: Schema.Struct({ count: Schema.Int }),
        execute: (organizationId) => sql`
          SELECT CAST(COUNT(*) AS INTEGER) AS count FROM api_key WHERE organization_id = ${organizationId}`
      })

      // The lock makes the limit exact between servers: no other transaction inserts between the count and the insert.
      const insertWithinLimit = Effect.fnUntraced(function* (record: ApiKeyRecord) {
        yield* lockOrganization(sql, record.organizationId)
        if (yield* insertKey(record, maxApiKeys)) return
        const [row] = yield* selectCount(record.organizationId)
        return yield* row === undefined || row.count >= maxApiKeys ? tooManyApiKeys() : duplicateKeyId()
      })

      return ApiKeys.of({
        create: Effect.fnUntraced(function* (organizationId, request) {
          const { created, record } = yield* makeApiKey(organizationId, request).pipe(
            Effect.provideService(Digest.Digest, digest),
            Effect.provideService(SecureRandom.SecureRandom, random)
          )
          yield* writeTransaction(sql)(insertWithinLimit(record))
          return created
        }, orServerError)
      })
    })
  )

/** The `ApiKeys` port over SQL. After an outage it is unknown whether the key was created. */
export const SqlApiKeys = { layer }
