import { type InvalidRequest, Pipe, ServerError } from "@headgate/core"
import { type PipeRecord, PipeCredentials, Sealing } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"
import type { MigrationError } from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { SqlMigrations } from "./SqlMigrations.ts"
import { resealAnswers } from "./access/SqlIdempotentCreations.ts"
import { resealDocuments } from "./dashboard/SqlDocumentStores.ts"
import { resealPasswords } from "./dashboard/SqlConnections.ts"
import { lockMigrations } from "./internal/advisoryLocks.ts"
import type { ResealText } from "./internal/openSealed.ts"
import { connectionError } from "./internal/SqliteConnection.ts"
import { ownTransaction } from "./internal/transaction.ts"
import { reencryptPipe, encryptPipe } from "./pipe/pipeSecrets.ts"

/** The store is sealed with another key, or its key is missing. Nothing was changed. */
export class SealingKeyError extends Schema.TaggedError<SealingKeyError>("@headgate/sql-adapter/SealingKeyError")(
  "SealingKeyError",
  { message: Schema.String }
) {}

const resealed = "the store was sealed with another key: this server must be started with that key"

const readFingerprint = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, lock: Fragment = sql``) {
  const [row] = yield* sql<{ readonly fingerprint: string }>`SELECT fingerprint FROM sealing_key ${lock}`
  return row?.fingerprint
})

// A share lock, so that a reseal waits for this transaction. It does not wait for a reseal, which waits for the rows that this
// transaction has locked: the write fails, and a repeat of it finds the new key.
const lockKey = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({ pg: () => sql`FOR SHARE NOWAIT`, orElse: () => sql`` })

const isCurrent = Effect.gen(function* () {
  const { fingerprint } = yield* Sealing
  return (yield* readFingerprint(yield* SqlClient.SqlClient)) === fingerprint
})

/** The key of each service of {@link checked}, without its checks. */
const uncheckedKeys = new WeakMap<Sealing["Service"], Sealing["Service"]>()

/**
 * A key that is compared with the one of the store whenever it seals, in the transaction of the write, and whenever a value does
 * not open: another process may have resealed the store. If it is another one, both die with a `ServerError`.
 */
const checked = (sql: SqlClient.SqlClient, sealing: Sealing["Service"]): Sealing["Service"] => {
  const { fingerprint } = sealing
  const check = Effect.fnUntraced(function* (lock: Fragment) {
    const held = yield* Effect.orDie(readFingerprint(sql, lock))
    if (held === fingerprint) return
    yield* Effect.logError(
      `the store was resealed with the key ${held}, and this server has the key ${fingerprint}: start it with that key`
    )
    return yield* Effect.die(new ServerError({ message: resealed }))
  })
  const service: Sealing["Service"] = {
    fingerprint,
    seal: (text, context) => Effect.andThen(check(lockKey(sql)), sealing.seal(text, context)),
    open: (sealed, context) =>
      Effect.tap(sealing.open(sealed, context), (text) => (Option.isNone(text) ? check(sql``) : Effect.void))
  }
  uncheckedKeys.set(service, sealing)
  return service
}

const SecretColumns = Schema.Struct({
  document: Schema.fromJsonString(Pipe),
  credentials: Schema.NullOr(Schema.fromJsonString(PipeCredentials))
})
const decodeColumns = Schema.decodeUnknownEffect(SecretColumns)
const encodeColumns = Schema.encodeEffect(SecretColumns)

/** Changes the documents of all pipes of a table with secrets. Document by document: a store may be larger than the memory. */
const changeSecrets = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: "pipe" | "deleted_pipe",
  change: (record: PipeRecord) => Effect.Effect<PipeRecord>
) {
  const ids = yield* sql<{ readonly id: string }>`
    SELECT id FROM ${sql(table)} WHERE document LIKE '%"connectionString"%' OR credentials IS NOT NULL`
  for (const { id } of ids) {
    const [row] = yield* sql`SELECT document, credentials FROM ${sql(table)} WHERE id = ${id}`
    if (row === undefined) continue
    const held = yield* decodeColumns(row)
    const changed = yield* change({ pipe: held.document, credentials: held.credentials ?? undefined })
    const { credentials, document } = yield* encodeColumns({
      document: changed.pipe,
      credentials: changed.credentials ?? null
    })
    yield* sql`UPDATE ${sql(table)} SET document = ${document}, credentials = ${credentials} WHERE id = ${id}`
  }
})

/**
 * Fails unless the store is sealed with this key. A store that has no key yet takes it, and seals what it holds: pipes, since
 * the other kinds are younger than sealing.
 */
const claim = Effect.fnUntraced(
  function* (sql: SqlClient.SqlClient, sealing: Sealing["Service"]) {
    const held = yield* readFingerprint(sql)
    if (held === sealing.fingerprint) return
    if (held !== undefined) {
      return yield* new SealingKeyError({
        message:
          `it is sealed with the key ${held}, and this is the key ${sealing.fingerprint}: pass the right one, ` +
          "or restore it from the backup of the store"
      })
    }
    yield* changeSecrets(sql, "pipe", (record) => encryptPipe(sealing, record))
    yield* sql`INSERT INTO sealing_key (id, fingerprint) VALUES (1, ${sealing.fingerprint})`
  },
  Effect.catchTag("SchemaError", Effect.die)
)

/** Runs an effect alone: no other server claims, migrates or reseals meanwhile. */
const alone =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    ownTransaction(sql)(Effect.andThen(lockMigrations(sql), effect))

type Errors = InvalidRequest | SealingKeyError | MigrationError | SqlError
type SealingLayer = Layer.Layer<Sealing, Errors, SqlClient.SqlClient | Digest | SecureRandom>

const layer = (key: Redacted.Redacted): SealingLayer =>
  Layer.effect(
    Sealing,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      yield* alone(sql)(claim(sql, sealing))
      return checked(sql, sealing)
    })
  ).pipe(Layer.provide(Sealing.layer(key)), Layer.provide(SqlMigrations.layer))

const keyBytes = 32
const newKey = Effect.map(
  SecureRandom.use((random) => random.randomBytes(keyBytes)),
  (bytes) => Redacted.make(Base64.encode(bytes))
)

const synced = (path: string, flags: string, use: (fd: number) => void) => {
  const fd = openSync(path, flags, 0o600)
  use(fd)
  fsyncSync(fd)
  closeSync(fd)
}

/** Writes a key to a file that is not there, whole or not at all. Another process may have written its own: that one counts. */
const writeKey = (file: string, key: Redacted.Redacted) => {
  const whole = `${file}.${process.pid}`
  synced(whole, "w", (fd) => writeSync(fd, `${Redacted.value(key)}\n`))
  try {
    linkSync(whole, file)
    synced(dirname(file), "r", () => {})
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(whole)
  }
}

const onFile = <A>(file: string, run: () => A) =>
  Effect.try({ try: run, catch: (cause) => connectionError(cause, `cannot use the sealing key ${file}`) })

const layerBeside = (filename: string): SealingLayer =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (filename === ":memory:") return layer(yield* newKey)
      const file = join(dirname(filename), "sealing.key")
      if (!(yield* onFile(file, () => existsSync(file)))) {
        if ((yield* readFingerprint(yield* SqlClient.SqlClient)) !== undefined) {
          return yield* new SealingKeyError({
            message: `its key ${file} is missing: restore it from the backup of the store`
          })
        }
        const key = yield* newKey
        yield* onFile(file, () => writeKey(file, key))
      }
      return layer(Redacted.make(yield* onFile(file, () => readFileSync(file, "utf8"))))
    })
  ).pipe(Layer.provide(SqlMigrations.layer))

/** What a reseal did. */
export interface Resealed {
  /** Of the new key. */
  readonly fingerprint: string
  /** Of the key before. */
  readonly previous: string
  /** What did not open with the key before and stays as it is: `webhook/<id>`, for example. */
  readonly unopened: ReadonlyArray<string>
}

const reseal = Effect.fnUntraced(function* (next: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  const held = yield* Sealing
  const old = uncheckedKeys.get(held) ?? held
  const { fingerprint, seal } = yield* Effect.provide(Sealing, Sealing.layer(next))
  const unopened: Array<string> = []
  const resealText: ResealText = (sealed, context) =>
    Effect.flatMap(
      old.open(sealed, context),
      Option.match({
        onNone: () => Effect.sync(() => (unopened.push(context), sealed)),
        onSome: (text) => seal(text, context)
      })
    )
  const change = Effect.gen(function* () {
    // First: it waits for the writes that have sealed with the old key, and no later one does.
    yield* sql`UPDATE sealing_key SET fingerprint = ${fingerprint}`
    yield* resealAnswers(sql, old, seal)
    yield* resealPasswords(sql, resealText)
    yield* resealDocuments(sql, resealText)
    for (const table of ["pipe", "deleted_pipe"] as const) {
      yield* changeSecrets(sql, table, (record) => reencryptPipe(record, resealText))
    }
  })
  yield* alone(sql)(Effect.catchTag(change, "SchemaError", Effect.die))
  const done: Resealed = { fingerprint, previous: old.fingerprint, unopened }
  return done
})

/**
 * The key that the secrets of a store are sealed with. The store keeps its fingerprint: a layer with another key fails with
 * a `SealingKeyError`. The first key of a store seals what it holds.
 *
 * - `layer` takes the key, 32 random bytes in base64; it fails with `InvalidRequest` if it is none.
 * - `layerBeside` keeps the key of a SQLite database in `sealing.key` beside it (mode 0600), and makes it for a new store.
 * - `reseal` seals the store with another key. What does not open with the old one stays as it is, and is named. A server that
 *   has the old key then answers writes that seal with a `ServerError`, and so do reads of what it cannot open.
 * - `isCurrent` is whether the store is still sealed with the key of the `Sealing` in the context.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlSealing } from "@headgate/sql-adapter"
 * import { Sealing } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 *
 * const sealing = SqlSealing.layer(Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE="))
 * const length = Sealing.use(({ fingerprint }) => Effect.succeed(fingerprint.length)).pipe(
 *   Effect.provide(sealing),
 *   Effect.provide(NodeSqlite.layer({ filename: ":memory:" })),
 *   Effect.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
 * )
 * console.log(await Effect.runPromise(length)) // 16
 * ```
 */
export const SqlSealing = { isCurrent, layer, layerBeside, reseal }
