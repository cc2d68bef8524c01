import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Acquirer, Connection } from "effect/sql/SqlConnection"
import { AuthenticationError, ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { addressOf, connectTo, formatAddress, type PostgresAddress } from "./internal/PostgresAddress.ts"
import { codeOf } from "./internal/outage.ts"

/** How {@link Postgres} connects to a database, and its timeouts. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database`; `?host=/folder` for a Unix socket, `?sslmode=require` for TLS, whose
   * certificate is verified.
   */
  readonly url: Redacted.Redacted
  /** The size of the connection pool. Default: 10. A call waits while no connection is free, up to `connectTimeout`. */
  readonly maxConnections?: number
  /** The timeout of connecting, and of waiting for a connection of the pool. Default: 5 seconds. */
  readonly connectTimeout?: Duration.Input
  /** The timeout of a statement. Default: 10 seconds. The timeout of a lock is half of it. */
  readonly statementTimeout?: Duration.Input
}

const startupParameters = (statementTimeout: number, silence: number) => ({
  client_encoding: "UTF8",
  // A statement after an advisory lock must see the writes of the lock's last holder.
  default_transaction_isolation: "read committed",
  statement_timeout: String(statementTimeout),
  lock_timeout: String(Math.ceil(statementTimeout / 2)),
  // A server that hangs within a transaction must not keep its locks.
  idle_in_transaction_session_timeout: String(silence)
})

/** The error of a start: it names the address of the database. */
const unreachable =
  (address: PostgresAddress) =>
  ({ reason }: SqlError): SqlError => {
    const message = `cannot use the database at ${formatAddress(address)}: ${Predicate.isError(reason.cause) ? reason.cause.message : reason.message}`
    const fields = { cause: reason.cause, message, operation: "connect" }
    return new SqlError({
      reason: reason._tag === "AuthenticationError" ? new AuthenticationError(fields) : new ConnectionError(fields)
    })
  }

/** Connects once, so that a wrong configuration fails at the start. Documents may hold any character: UTF8 only. */
const check = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql<{ readonly encoding: string }>`SELECT current_setting('server_encoding') AS encoding`
  if (row?.encoding === "UTF8") return
  const message = `its encoding is ${row?.encoding}, not UTF8`
  return yield* new SqlError({
    reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })
})

const noConnection = () => {
  const message = "no connection of the pool became free"
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" }) })
}

/** Postgres refuses another connection, as others hold all that it allows. */
const isTooManyConnections = ({ reason }: SqlError): boolean => codeOf(reason.cause) === "53300"

/**
 * Waits for a connection of the pool for at most `timeout`: while Postgres hangs, calls would wait for each other. If the
 * pool cannot open one more connection, the call waits for one that the pool has.
 */
const waitForConnection = (acquirer: Acquirer, timeout: Duration.Duration): Acquirer =>
  acquirer.pipe(
    Effect.retry({ while: isTooManyConnections, schedule: Schedule.spaced("20 millis") }),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(noConnection()) })
  )

/** Postgres answers `ROLLBACK` to the `COMMIT` of a transaction in which a statement has failed. */
const commit = Effect.fnUntraced(function* (connection: Connection) {
  const result = yield* connection.executeRaw("COMMIT", [])
  if (!Predicate.hasProperty(result, "command") || result.command !== "ROLLBACK") return
  const message = "the transaction was rolled back: one of its statements had failed"
  return yield* new SqlError({
    reason: new UnknownError({ cause: new Error(message), message, operation: "commit" })
  })
})

const make = Effect.fnUntraced(
  function* (options: PostgresOptions) {
    const address = yield* addressOf(options.url)
    const statementTimeout = Duration.toMillis(Duration.fromInputUnsafe(options.statementTimeout ?? "10 seconds"))
    const silence = Math.ceil(statementTimeout * 1.5)
    // The driver is loaded only when Postgres is used.
    const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const connectTimeout = Duration.fromInputUnsafe(options.connectTimeout ?? "5 seconds")
    const pool = yield* PgClient.make({
      ...address,
      url: options.url,
      stream: () => connectTo(address, silence),
      applicationName: "headgate",
      connectTimeout,
      maxConnections: options.maxConnections ?? 10,
      startupParameters: startupParameters(statementTimeout, silence)
    })
    const client = yield* SqlClient.make({
      acquirer: waitForConnection(pool.reserve, connectTimeout),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      prepareTransactionControls: true,
      commit,
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      spanAttributes: [["db.system.name", "postgresql"]]
    })
    yield* Effect.mapError(check(client), unreachable(address))
    return client
    // The pool measures idle time in real time, even if the program runs with a test clock.
  },
  Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
)

const layer = (options: PostgresOptions): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

/**
 * `SqlClient` over Postgres: a connection pool, which reconnects after an outage. Fails with a `SqlError` that names the
 * address, never the password, if the database cannot be used. `docs/adr/0007-postgres.md` says what several servers
 * over one database can rely on.
 *
 * @example
 * ```ts
 * import { Postgres, SqlAdapter } from "@headgate/sql-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The ports share the pool with the rest of the program.
 * export const layer = Layer.unwrap(
 *   Effect.gen(function* () {
 *     const url = yield* Config.Redacted("DATABASE_URL")
 *     const sealingKey = yield* Config.Redacted("SEALING_KEY")
 *     const pool = Postgres.layer({ url, maxConnections: 20, statementTimeout: "5 seconds" })
 *     return Layer.provideMerge(SqlAdapter.layer(sealingKey), pool)
 *   })
 * )
 * ```
 */
export const Postgres = { layer }
