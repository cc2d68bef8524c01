import type { ApiKeyId } from "@headgate/core"
import { type ApiKeyRecord, type ConsoleKind, type ConsoleRecord, consoleRules } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as SqlClient from "effect/sql/SqlClient"
import { makePointRead } from "../internal/pointRead.ts"
import { makeRowReader } from "../internal/rowReader.ts"
import { keyColumns, KeyRow, toKeyRecord } from "./KeyRow.ts"

const tables: { readonly [Kind in ConsoleKind]: string } = { session: "console_session", code: "console_code" }

/** A row of a session or a code, with that of its key. */
const ConsoleRow = Schema.Struct({ ...KeyRow.fields, expiresAt: Schema.DateTimeUtcFromMillis })

const decodeRow = Schema.decodeEffect(ConsoleRow)

/** Finds the session or code with a hash, and its key. `capacity`: how many decoded rows are kept. */
export const makeFindConsole = (sql: SqlClient.SqlClient, kind: ConsoleKind, capacity: number) => {
  const select = makePointRead(
    sql,
    (hash: string) => sql<typeof ConsoleRow.Encoded>`
      SELECT ${keyColumns(sql)}, expires_at AS "expiresAt"
      FROM ${sql(tables[kind])} AS made JOIN api_key ON api_key.id = made.key_id
      WHERE hash = ${hash}`
  )
  const read = makeRowReader(capacity, (row: typeof ConsoleRow.Encoded) =>
    Effect.map(decodeRow(row), ({ expiresAt, ...keyRow }) => ({ expiresAt, key: toKeyRecord(keyRow) }))
  )
  // Without a generator: every request with a session passes it.
  return (hash: string) =>
    Effect.flatMap(select(hash), (row) => (row === undefined ? Effect.undefined : read(hash, row)))
}

/** Stores a session or a code, and deletes those that end with this. Runs in a transaction that holds the lock of its key. */
export const makeInsertConsole = (sql: SqlClient.SqlClient, kind: ConsoleKind) => {
  const table = sql(tables[kind])
  // What another transaction deletes or locks is not waited for: two that wait for each other would be a deadlock.
  const skipLocked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE SKIP LOCKED`, orElse: () => sql`` })
  return Effect.fnUntraced(function* ({ expiresAt, hash, keyId }: ConsoleRecord) {
    yield* sql`
      INSERT INTO ${table} (hash, key_id, expires_at) VALUES (${hash}, ${keyId}, ${DateTime.toEpochMillis(expiresAt)})`
    yield* sql`
      DELETE FROM ${table} WHERE seq IN (
        SELECT seq FROM ${table}
        WHERE expires_at <= ${yield* Clock.currentTimeMillis} OR (key_id = ${keyId} AND seq <= (
          SELECT seq FROM ${table} WHERE key_id = ${keyId} ORDER BY seq DESC LIMIT 1 OFFSET ${consoleRules.most(kind)}
        ))
        ${skipLocked}
      )`
  })
}

/** Deletes the session or code with a hash. Returns whether there was one. */
export const makeDeleteConsole = (sql: SqlClient.SqlClient, kind: ConsoleKind) => (hash: string) =>
  Effect.map(sql`DELETE FROM ${sql(tables[kind])} WHERE hash = ${hash} RETURNING hash`, ({ length }) => length > 0)

/** Deletes the sessions and codes of a key. */
export const makeEndConsole = (sql: SqlClient.SqlClient) => (keyId: ApiKeyId) =>
  Effect.forEach(Struct.keys(tables), (kind) => sql`DELETE FROM ${sql(tables[kind])} WHERE key_id = ${keyId}`, {
    discard: true
  })

const decodeKey = Schema.decodeEffect(KeyRow)

/** Reads a key as it is now: no other transaction changes it or makes something for it until this one ends. */
export const makeLockKey = (sql: SqlClient.SqlClient) => {
  // Something may refer to the key meanwhile: its id stays.
  const lock = sql.onDialectOrElse({ pg: () => sql`FOR NO KEY UPDATE`, orElse: () => sql`` })
  return Effect.fnUntraced(function* (keyId: ApiKeyId) {
    const [row] = yield* sql<typeof KeyRow.Encoded>`SELECT ${keyColumns(sql)} FROM api_key WHERE id = ${keyId} ${lock}`
    const record: ApiKeyRecord | undefined = row === undefined ? undefined : toKeyRecord(yield* decodeKey(row))
    return record
  })
}
