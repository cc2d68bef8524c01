import { SourceError } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Client, type ClientConfig, type QueryResultRow } from "pg"
import { isIP } from "node:net"
import { checkServerIdentity, type ConnectionOptions } from "node:tls"
import type { PostgresOptions } from "../options/PostgresOptions.ts"

/**
 * A statement failed: with Postgres's code of the error, or none if it did not answer. `field`: what of the pipe's source is
 * wrong, where no connection could be made.
 */
export class PostgresFailure extends Schema.TaggedError<PostgresFailure>("@headgate/mover-postgres/PostgresFailure")(
  "PostgresFailure",
  {
    code: Schema.UndefinedOr(Schema.String),
    message: Schema.String,
    field: Schema.optionalKey(Schema.String)
  }
) {}

const longestMessage = 500

/** What the client throws. It puts no password into the messages of its errors. */
export const failureOf = (error: unknown): PostgresFailure => {
  const errors: ReadonlyArray<unknown> = error instanceof AggregateError ? error.errors : [error]
  const message = errors.map((each) => (Predicate.isError(each) ? each.message : String(each))).join("; ")
  const code = Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : undefined
  return new PostgresFailure({ code, message: (message || "the connection failed").slice(0, longestMessage) })
}

// Of Postgres, not of Node, whose codes of five characters begin with E.
const sqlState = /^[0-9A-DF-Z][0-9A-Z]{4}$/

/** A failure as the mover sees it: it tries again. */
export const toSourceError = ({ code, field, message }: PostgresFailure): SourceError =>
  new SourceError({
    message: `the source Postgres: ${message}`,
    ...(field === undefined ? {} : { field }),
    ...(sqlState.test(code ?? "") ? { answered: true } : {})
  })

const connectTimeout = Duration.seconds(15)
const statementTimeout = Duration.minutes(2)
const endTimeout = Duration.seconds(1)

// Values are written in the same way by every session, whatever the server, the database or the role has set. A table whose rows
// this role may not all see is an error, and not a table with fewer rows.
const sessionSettings: Readonly<Record<string, string>> = {
  datestyle: "ISO",
  intervalstyle: "postgres",
  timezone: "UTC",
  extra_float_digits: "3",
  bytea_output: "hex",
  standard_conforming_strings: "on",
  search_path: "pg_catalog",
  row_security: "off",
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0"
}

/** A field of the source for which no connection can be made, and what is wrong with it where the error does not say it. */
interface Refusal {
  readonly field: string
  readonly problem?: string
}

const byCa = { field: "caCertificate", problem: "caCertificate does not verify the server" }
const byName = { field: "tlsHost", problem: "tlsHost, or the host, is not the name of the certificate" }
const withoutTls = {
  field: "disableTls",
  problem:
    "the server has no TLS: turn TLS on there, or set disableTls to true to send the password and the rows in clear"
}

/** The refusals by the code of Postgres or of Node, or by the client's message. */
const refusals: Readonly<Record<string, Refusal>> = {
  "28000": { field: "credentials" },
  "28P01": { field: "credentials" },
  "3D000": { field: "database" },
  DEPTH_ZERO_SELF_SIGNED_CERT: byCa,
  SELF_SIGNED_CERT_IN_CHAIN: byCa,
  UNABLE_TO_GET_ISSUER_CERT: byCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: byCa,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: byCa,
  CERT_SIGNATURE_FAILURE: byCa,
  ERR_TLS_CERT_ALTNAME_INVALID: byName,
  "The server does not support SSL connections": withoutTls
}

/** Why a connection could not be made. */
const connectFailure = (error: unknown): PostgresFailure => {
  const { code, message } = failureOf(error)
  const { field, problem } = refusals[code ?? message] ?? {}
  return new PostgresFailure({
    code,
    message: problem === undefined ? message : `${problem}: ${message}`,
    ...(field === undefined ? {} : { field })
  })
}

// The client knows the address alone: the name is sent and checked here.
const encrypted = ({ host, tls }: PostgresOptions): false | ConnectionOptions => {
  if (tls === undefined) return false
  const name = tls.host ?? host
  return {
    rejectUnauthorized: tls.isVerified,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate)
  }
}

// All of them are given: the client would take what is missing from the environment or from files of this machine's user.
const configOf = (options: PostgresOptions, address: string): ClientConfig => ({
  host: address,
  port: options.port,
  database: options.database,
  user: options.username,
  password: Redacted.value(options.password),
  ssl: encrypted(options),
  application_name: "headgate",
  client_encoding: "UTF8",
  options: Object.entries(sessionSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" "),
  keepAlive: true
})

const noAnswer = (duration: Duration.Duration) =>
  Effect.fail(new PostgresFailure({ code: undefined, message: `no answer within ${Duration.format(duration)}` }))

const addressOf = ({ host, resolve }: PostgresOptions): Effect.Effect<string, PostgresFailure> =>
  resolve === undefined
    ? Effect.succeed(host)
    : Effect.mapError(resolve(host), ({ message }) => new PostgresFailure({ code: undefined, message }))

/** A connection. It ends with the scope, also in the middle of a statement or before the server has answered. */
export const connect = Effect.fnUntraced(
  function* (options: PostgresOptions, kind: "queries" | "replication" = "queries") {
    const config = configOf(options, yield* addressOf(options))
    let isConnected = false
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Client({ ...config, ...(kind === "replication" ? { replication: "database" } : {}) })),
      (client) =>
        Effect.suspend(() => (isConnected ? Effect.promise(() => client.end()) : Effect.void)).pipe(
          Effect.timeoutOption(endTimeout),
          Effect.andThen(Effect.sync(() => client.connection.stream.destroy()))
        )
    )
    // The statement that runs fails. Between statements the next one does.
    client.on("error", () => undefined)
    yield* Effect.tryPromise({ try: () => client.connect(), catch: connectFailure })
    isConnected = true
    return client
  },
  // Also while a name is looked up.
  (connecting) => Effect.timeoutOrElse(connecting, { duration: connectTimeout, orElse: () => noAnswer(connectTimeout) })
)

/** Runs a statement and returns its rows. Values are parameters. */
export const query = <Row extends QueryResultRow>(
  client: Client,
  sql: string,
  values?: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<Row>, PostgresFailure> =>
  Effect.tryPromise({
    try: async () => {
      const result = await (values === undefined ? client.query<Row>(sql) : client.query<Row>(sql, [...values]))
      return result.rows
    },
    catch: failureOf
  }).pipe(Effect.timeoutOrElse({ duration: statementTimeout, orElse: () => noAnswer(statementTimeout) }))

/** Uses a connection of its own. */
export const withConnection = <A, E>(
  options: PostgresOptions,
  use: (client: Client) => Effect.Effect<A, E>
): Effect.Effect<A, E | PostgresFailure> => Effect.scoped(Effect.flatMap(connect(options), use))
