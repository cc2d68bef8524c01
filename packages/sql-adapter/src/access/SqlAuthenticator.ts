import { authenticate, Authenticator, type CredentialStore, TokenRecord } from "@headgate/core/access"
import { ApiKey, ApiKeyRecord } from "@headgate/core/key"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"

const KeyRow = Schema.Struct({ ...ApiKeyRecord.fields, key: Schema.fromJsonString(ApiKey) })

const layerNoDeps: Layer.Layer<Authenticator, never, SqlClient.SqlClient | Digest.Digest> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<Digest.Digest>()

    const selectKey = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: KeyRow,
      execute: (keyIdHash) => sql`
        SELECT organization_id AS "organizationId", document AS "key", key_id_hash AS "keyIdHash",
          key_secret_hash AS "keySecretHash"
        FROM api_key WHERE key_id_hash = ${keyIdHash}`
    })
    const selectToken = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: TokenRecord,
      execute: (tokenHash) => sql`
        SELECT organization_id AS "organizationId", name, token_hash AS "tokenHash"
        FROM token WHERE token_hash = ${tokenHash}`
    })

    const store: CredentialStore = {
      findKey: (keyIdHash) => selectKey(keyIdHash).pipe(Effect.orDie, Effect.map(Option.getOrUndefined)),
      findToken: (tokenHash) => selectToken(tokenHash).pipe(Effect.orDie, Effect.map(Option.getOrUndefined))
    }

    return Authenticator.of({
      authenticate: Effect.fn("SqlAuthenticator.authenticate")(
        (credentials, remoteAddress) => authenticate(store, credentials, remoteAddress),
        Effect.provideContext(crypto)
      )
    })
  })
)

const layer: Layer.Layer<Authenticator, never, SqlClient.SqlClient> = Layer.provide(layerNoDeps, Digest.layerWebCrypto)

/** The `Authenticator` port over SQL. `layerNoDeps` leaves the cryptography to the caller. */
export const SqlAuthenticator = { layer, layerNoDeps }
