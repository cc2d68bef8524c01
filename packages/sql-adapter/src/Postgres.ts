import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { AuthenticationError, ConnectionError, SqlError } from "effect/sql/SqlError"
import { addressOf, connectTo, formatAddress, type PostgresAddress } from "./internal/PostgresAddress.ts"

/** How {@link Postgres} reaches a database, and how long it waits for it. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database`; `?host=/folder` for a Unix socket, `?sslmode=require` for TLS, whose
   * certificate is verified.
   */
  readonly url: Redacted.Redacted
  /** The most connections that are open at once, 10 unless told. Who finds none free waits. */
  readonly maxConnections?: number
  /** How long connecting may take, 5 seconds unless told. */
  readonly connectTimeout?: Duration.Input
  /** How long a statement may take, 10 seconds unless told; it waits for a lock for half of that. */
  readonly statementTimeout?: Duration.Input
}

const startupParameters = (statementTimeout: number, silence: number) => ({
  client_encoding: "UTF8",
  // A transaction that waited for its turn must then see what the one before it did.
  default_transaction_isolation: "read committed",
  statement_timeout: String(statementTimeout),
  lock_timeout: String(Math.ceil(statementTimeout / 2)),
  // A server that stops in the middle of a transaction must not keep its locks from the others.
  idle_in_transaction_session_timeout: String(silence)
})

/** What to tell who starts a server whose database is not there. */
const unreachable =
  (address: PostgresAddress) =>
  ({ reason }: SqlError): SqlError => {
    const message = `cannot use the database at ${formatAddress(address)}: ${Predicate.isError(reason.cause) ? reason.cause.message : reason.message}`
    const fields = { cause: reason.cause, message, operation: "connect" }
    return new SqlError({
      reason: reason._tag === "AuthenticationError" ? new AuthenticationError(fields) : new ConnectionError(fields)
    })
  }

/** Connects once, so that what is wrong is known at the start; documents hold any character there is. */
const check = Effect.fnUntraced(function* (sql: SqlClient) {
  const [row] = yield* sql<{ readonly encoding: string }>`SELECT current_setting('server_encoding') AS encoding`
  if (row?.encoding === "UTF8") return
  const message = `its encoding is ${row?.encoding}, not UTF8`
  return yield* new SqlError({
    reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })
})

const make = Effect.fnUntraced(
  function* (options: PostgresOptions) {
    const address = yield* addressOf(options.url)
    const statementTimeout = Duration.toMillis(Duration.fromInputUnsafe(options.statementTimeout ?? "10 seconds"))
    const silence = Math.ceil(statementTimeout * 1.5)
    // The driver is loaded where there is a Postgres to talk to.
    const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const client = yield* PgClient.make({
      ...address,
      url: options.url,
      stream: () => connectTo(address, silence),
      applicationName: "headgate",
      connectTimeout: options.connectTimeout ?? "5 seconds",
      maxConnections: options.maxConnections ?? 10,
      startupParameters: startupParameters(statementTimeout, silence)
    })
    yield* Effect.mapError(check(client), unreachable(address))
    return client
    // A pool of sockets ages in real time, whatever clock steers the program: a test's may jump by a century.
  },
  Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
)

const layer = (options: PostgresOptions): Layer.Layer<SqlClient, SqlError> =>
  Layer.effect(SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

/**
 * `SqlClient` over Postgres: a pool of connections, which comes back by itself when the database does. Fails with a
 * `SqlError` that names the address, never the password, when the database cannot be used.
 * `docs/adr/0007-postgres.md` tells what several servers over one database may rely on.
 *
 * @example
 * ```ts
 * import { Postgres, SqlAdapter } from "@headgate/sql-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The ports over the pool that the rest of the program uses, too.
 * export const layer = Layer.unwrap(
 *   Effect.map(Config.Redacted("DATABASE_URL"), (url) => {
 *     const pool = Postgres.layer({ url, maxConnections: 20, statementTimeout: "5 seconds" })
 *     return Layer.provideMerge(SqlAdapter.layer, pool)
 *   })
 * )
 * ```
 */
export const Postgres = { layer }
