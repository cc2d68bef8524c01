import { ApiKeys } from "@headgate/core"
import { type ApiKeyRecord, duplicateKeyId, makeApiKey } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { makeCheckLimits } from "../internal/checkLimits.ts"
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
      const checkLimits = makeCheckLimits(sql)

      const insertWithinLimits = Effect.fnUntraced(function* (record: ApiKeyRecord) {
        if (!(yield* insertKey(record))) return yield* duplicateKeyId()
        yield* checkLimits("keys", record.organizationId)
      })

      return ApiKeys.of({
        create: Effect.fnUntraced(function* (organizationId, request) {
          const { created, record } = yield* makeApiKey(organizationId, request).pipe(
            Effect.provideService(Digest.Digest, digest),
            Effect.provideService(SecureRandom.SecureRandom, random)
          )
          yield* writeTransaction(sql)(insertWithinLimits(record))
          return created
        }, orServerError)
      })
    })
  )

/** The `ApiKeys` port over SQL. After an outage it is unknown whether the key was created. */
export const SqlApiKeys = { layer }
