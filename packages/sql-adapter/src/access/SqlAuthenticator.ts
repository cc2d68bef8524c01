import type { ApiKeyId } from "@headgate/core"
import { authenticate, Authenticator, type CredentialStore } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SqlClient from "effect/sql/SqlClient"
import { dieOnOutage, outageText } from "../internal/outage.ts"
import { makePointRead } from "../internal/pointRead.ts"
import { makeRowReader } from "../internal/rowReader.ts"
import { writeStatement } from "../internal/transaction.ts"
import { keyColumns, KeyRow, toKeyRecord } from "../key/KeyRow.ts"
import { makeFindConsole } from "../key/consoleRows.ts"
import { tokenColumns, TokenRow } from "./SqlTokens.ts"

/**
 * Stores when keys were last used. A failure (a full disk, a read-only file) refuses nobody: it is logged once a minute,
 * and the write is tried again once a minute for each key.
 */
const makeMarkUsed = (sql: SqlClient.SqlClient): CredentialStore["markUsed"] => {
  // The last minute in which a write failed, and the keys whose write failed in it.
  let failed = { minute: Number.NEGATIVE_INFINITY, keys: new Set<ApiKeyId>() }

  return (keyId, { epochMilliseconds: minute }) => {
    if (minute === failed.minute && failed.keys.has(keyId)) return Effect.void
    // If two servers write at the same time, the later minute stays.
    const statement = sql`
      UPDATE api_key SET used_at = ${minute}
      WHERE id = ${keyId} AND (used_at IS NULL OR used_at < ${minute})`
    return writeStatement(sql)(statement).pipe(
      Effect.asVoid,
      Effect.catch((error) => {
        const isFirst = minute !== failed.minute
        if (isFirst) failed = { minute, keys: new Set() }
        failed.keys.add(keyId)
        return isFirst ? Effect.logError(`last uses of keys are not written down: ${outageText(error)}`) : Effect.void
      })
    )
  }
}

// A decoded key, session or token takes a few hundred bytes.
const maxCachedRows = 1000

const layer: Layer.Layer<Authenticator, never, SqlClient.SqlClient | Digest.Digest> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const digest = yield* Digest.Digest

    const decodeKey = Schema.decodeEffect(KeyRow)
    const readKey = makeRowReader(maxCachedRows, (row: typeof KeyRow.Encoded) =>
      Effect.map(decodeKey(row), toKeyRecord)
    )
    const readToken = makeRowReader(maxCachedRows, Schema.decodeEffect(TokenRow))
    const selectKey = makePointRead(
      sql,
      (keyIdHash: string) => sql<typeof KeyRow.Encoded>`
        SELECT ${keyColumns(sql)} FROM api_key WHERE key_id_hash = ${keyIdHash}`
    )
    // Without generators: every request passes one of them.
    const findKey = (keyIdHash: string) =>
      Effect.flatMap(selectKey(keyIdHash), (row) => (row === undefined ? Effect.undefined : readKey(keyIdHash, row)))
    const selectToken = makePointRead(
      sql,
      (tokenHash: string) => sql<typeof TokenRow.Encoded>`
        SELECT ${tokenColumns(sql)} FROM token WHERE token_hash = ${tokenHash}`
    )
    const findToken = (tokenHash: string) =>
      Effect.flatMap(selectToken(tokenHash), (row) =>
        row === undefined ? Effect.undefined : readToken(tokenHash, row)
      )
    const findSession = makeFindConsole(sql, "session", maxCachedRows)

    const store: CredentialStore = {
      findKey: (keyIdHash) => dieOnOutage(findKey(keyIdHash)),
      findToken: (tokenHash) => dieOnOutage(findToken(tokenHash)),
      findSession: (tokenHash) => dieOnOutage(findSession(tokenHash)),
      markUsed: makeMarkUsed(sql)
    }

    return Authenticator.of({
      // Without a span: every request calls it.
      authenticate: (credentials, remoteAddress) =>
        Effect.provideService(authenticate(store, credentials, remoteAddress), Digest.Digest, digest)
    })
  })
)

/** The `Authenticator` port over SQL. */
export const SqlAuthenticator = { layer }
