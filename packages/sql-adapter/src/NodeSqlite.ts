import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { makeConnection } from "./internal/SqliteConnection.ts"
import { connectionError, sqliteError } from "./internal/sqliteError.ts"

/** How {@link NodeSqlite} opens a database. */
export interface NodeSqliteOptions {
  /** A path, made with its folder if it is not there; `:memory:` for a database that ends with its scope. */
  readonly filename: string
  /**
   * How long a statement waits while another process writes, 5 seconds unless told. `node:sqlite` is synchronous: the
   * wait blocks this process.
   */
  readonly busyTimeout?: Duration.Input
  /** How many prepared statements are kept, 200 unless told. */
  readonly statementCacheSize?: number
}

/** Only its owner may read what is stored; SQLite gives the -wal and -shm files the mode of the database. */
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
 * A commit is on the disk when it returns (`synchronous = FULL`), and readers and the one writer do not block each
 * other (WAL). Foreign keys are checked: `node:sqlite` does so by itself. Up to 64 MiB of the database are kept in memory:
 * with SQLite's own 2, even the inner pages of a million pipes would be read again and again.
 */
const configure = (db: DatabaseSync, busyTimeout: Duration.Duration) =>
  Effect.try({
    try: () => db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536"),
    catch: (cause) => sqliteError(cause, "cannot configure the database", "configure")
  }).pipe(
    // SQLite's own busy timeout does not cover the change to WAL: of two processes that open a new file at once, one
    // may be told at once that it is locked.
    Effect.retry({
      while: (error) => error.isRetryable,
      schedule: Schedule.upTo(Schedule.spaced("10 millis"), { duration: busyTimeout })
    })
  )

const make = Effect.fnUntraced(function* (options: NodeSqliteOptions) {
  const { filename, statementCacheSize = 200 } = options
  const busyTimeout = Duration.fromInputUnsafe(options.busyTimeout ?? "5 seconds")
  if (filename !== ":memory:") yield* createPrivately(filename)
  const db = yield* open(filename, busyTimeout)
  yield* configure(db, busyTimeout)
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(makeConnection(db, statementCacheSize)),
    semaphore: yield* Semaphore.make(1),
    isTransaction: () => db.isTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    // A transaction that began as a reader fails at its first write if another process wrote since: begin as a writer.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

const layer = (options: NodeSqliteOptions): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

/**
 * `SqlClient` over the runtime's own `node:sqlite`: one connection, whose statements and transactions take turns.
 * Several processes may open the same file. `docs/adr/0003-node-sqlite.md` tells why it is not a library's. The file is
 * made with mode 0600. Fails with a `SqlError` when it cannot be opened.
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
