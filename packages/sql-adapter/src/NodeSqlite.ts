import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { makeGroupCommit } from "./internal/GroupCommit.ts"
import { connectionError, makeConnection, sqliteDrivers, sqliteError } from "./internal/SqliteConnection.ts"

/** How {@link NodeSqlite} opens a database. */
export interface NodeSqliteOptions {
  /** The path of the file; it and its folder are created if missing. `:memory:` for a database in memory. */
  readonly filename: string
  /**
   * How long a statement waits for a lock of another process. Default: 5 seconds. `node:sqlite` is synchronous: the wait
   * blocks this process.
   */
  readonly busyTimeout?: Duration.Input
  /** How many prepared statements are kept. Default: 200. */
  readonly statementCacheSize?: number
  /**
   * Writes of the ports that arrive together are committed together, with one fsync. A group closes at `maxWrites`
   * (default: 64), `maxDelay` after its first write (default: 2 milliseconds), or when no further write arrives: a single
   * writer does not wait. `{ maxWrites: 1 }` commits each write alone.
   */
  readonly groupCommit?: { readonly maxWrites?: number; readonly maxDelay?: Duration.Input }
}

/** Only the owner may read the file. SQLite gives the -wal and -shm files the mode of the database. */
const createPrivately = (filename: string) =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(filename), { recursive: true, mode: 0o700 })
      closeSync(openSync(filename, "a", 0o600))
    },
    catch: (cause) => connectionError(cause, `cannot create the database ${filename}`)
  })

const open = (filename: string, busyTimeout: Duration.Duration) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => new DatabaseSync(filename, { timeout: Duration.toMillis(busyTimeout) }),
      catch: (cause) => sqliteError(cause, `cannot open the database ${filename}`, "open")
    }),
    // The last connection to close also moves the write-ahead log into the database.
    (db) => Effect.sync(() => db.close())
  )

/**
 * A commit is on the disk when it returns (`synchronous = FULL`), and readers do not block the writer (WAL).
 * `node:sqlite` enables foreign keys by default. The page cache is 64 MiB: with SQLite's default of 2, the inner pages of
 * a million pipes do not fit.
 */
const configure = (db: DatabaseSync, busyTimeout: Duration.Duration) =>
  Effect.try({
    try: () => db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536"),
    catch: (cause) => sqliteError(cause, "cannot configure the database", "configure")
  }).pipe(
    // SQLite's busy timeout does not cover the change to WAL: of two processes that open a new file at the same time,
    // one may fail at once with "database is locked".
    Effect.retry({
      while: (error) => error.isRetryable,
      schedule: Schedule.upTo(Schedule.spaced("10 millis"), { duration: busyTimeout })
    })
  )

/** The device and the inode of a file; `undefined` if there is none. */
const identityOf = (filename: string): string | undefined => {
  const stats = statSync(filename, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/**
 * Fails if the file is no longer the one that was opened. SQLite would go on with the old file, and everything written
 * would be lost when the process ends. Measured: 2 us.
 */
const makeRequireSameFile = (filename: string): Effect.Effect<void, SqlError> => {
  if (filename === ":memory:") return Effect.void
  const opened = identityOf(filename)
  return Effect.suspend(() => {
    if (identityOf(filename) === opened) return Effect.void
    const cause = new Error("restart on the right file")
    return Effect.fail(connectionError(cause, `the database ${filename} was removed or replaced`))
  })
}

const make = Effect.fnUntraced(function* (options: NodeSqliteOptions) {
  const { filename, statementCacheSize = 200 } = options
  const busyTimeout = Duration.fromInputUnsafe(options.busyTimeout ?? "5 seconds")
  if (filename !== ":memory:") yield* createPrivately(filename)
  const db = yield* open(filename, busyTimeout)
  yield* configure(db, busyTimeout)
  const connection = makeConnection(db, statementCacheSize)
  const isTransaction = () => db.isTransaction
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.as(makeRequireSameFile(filename), connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction
  })
  const client = yield* SqlClient.make({
    ...acquirers,
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    // A transaction that begins as a reader fails at its first write if another process has written meanwhile.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  const { maxDelay = "2 millis", maxWrites = 64 } = options.groupCommit ?? {}
  const runWrite = makeGroupCommit(
    client,
    { onCommitFailure: acquirers.onCommitFailure, isTransaction },
    { maxWrites: Math.max(1, maxWrites), maxDelay: Duration.toMillis(Duration.fromInputUnsafe(maxDelay)) }
  )
  sqliteDrivers.set(client, { runWrite, isTransaction, readFirst: connection.readFirst })
  return client
})

const layer = (options: NodeSqliteOptions): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

/**
 * `SqlClient` over Node's `node:sqlite`: one connection, on which statements and transactions run one after another.
 * Several processes may open the same file, which is created with mode 0600. `docs/adr/0003-node-sqlite.md` says why it
 * is not a library's driver. Fails with a `SqlError` if the file cannot be opened. If the file is removed or replaced while
 * it is open, transactions and statements fail with a `SqlError`.
 *
 * @example
 * ```ts
 * import { NodeSqlite } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 * import * as SqlClient from "effect/sql/SqlClient"
 *
 * const sum = Effect.gen(function* () {
 *   const sql = yield* SqlClient.SqlClient
 *   const [row] = yield* sql<{ readonly sum: number }>`SELECT ${1} + ${2} AS sum`
 *   return row?.sum
 * }).pipe(Effect.provide(NodeSqlite.layer({ filename: ":memory:" })))
 * console.log(await Effect.runPromise(sum)) // 3
 * ```
 */
export const NodeSqlite = { layer }
