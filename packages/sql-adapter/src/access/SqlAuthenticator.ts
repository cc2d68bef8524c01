import { authenticate, Authenticator, type CredentialStore } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orDie } from "../internal/outage.ts"
import { makeRowReader } from "../internal/rowReader.ts"
import { keyColumns, KeyRow, toKeyRecord } from "../key/keyRow.ts"
import { makeMarkUsed } from "./lastUses.ts"
import { tokenColumns, TokenRow } from "./tokenRow.ts"

// A key is a few hundred bytes.
const rememberedKeys = 1000

const layerNoDeps: Layer.Layer<Authenticator, never, SqlClient.SqlClient | Digest.Digest> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const digest = yield* Digest.Digest

    const decodeKey = Schema.decodeEffect(KeyRow)
    const readKey = makeRowReader(rememberedKeys, (row: typeof KeyRow.Encoded) =>
      Effect.map(decodeKey(row), toKeyRecord)
    )
    const selectKey = Effect.fnUntraced(function* (keyIdHash: string) {
      const [row] = yield* sql<typeof KeyRow.Encoded>`
        SELECT ${keyColumns(sql)} FROM api_key WHERE key_id_hash = ${keyIdHash}`
      return row === undefined ? undefined : yield* readKey(keyIdHash, row)
    })
    const selectToken = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: TokenRow,
      execute: (tokenHash) => sql`SELECT ${tokenColumns(sql)} FROM token WHERE token_hash = ${tokenHash}`
    })

    const store: CredentialStore = {
      findKey: (keyIdHash) => orDie(selectKey(keyIdHash)),
      findToken: (tokenHash) => selectToken(tokenHash).pipe(orDie, Effect.map(Option.getOrUndefined)),
      markUsed: makeMarkUsed(sql)
    }

    return Authenticator.of({
      // Without a span: every request comes by here.
      authenticate: (credentials, remoteAddress) =>
        Effect.provideService(authenticate(store, credentials, remoteAddress), Digest.Digest, digest)
    })
  })
)

const layer: Layer.Layer<Authenticator, never, SqlClient.SqlClient> = Layer.provide(layerNoDeps, Digest.layerWebCrypto)

/**
 * The `Authenticator` port over SQL. `layerNoDeps` leaves the cryptography to the caller. An outage of the database is
 * a defect whose value is a `ServerError`.
 *
 * @example
 * ```ts
 * import { SqlAuthenticator, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 * import type * as SqlClient from "effect/sql/SqlClient"
 *
 * // A gate before a service of yours, over the keys that a headgate-server keeps.
 * export const layer = (database: Layer.Layer<SqlClient.SqlClient>) =>
 *   SqlAuthenticator.layer.pipe(Layer.provide(SqlMigrations.layer), Layer.provide(database))
 * ```
 */
export const SqlAuthenticator = { layer, layerNoDeps }
