import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"

/** The address of a Postgres database, without credentials. */
export interface PostgresAddress {
  /** A host name, an IP address, or the folder of a Unix socket, which begins with `/`. */
  readonly host: string
  readonly port: number
  /** Absent: the database named like the user. */
  readonly database?: string
}

/** The address as error messages show it. */
export const formatAddress = ({ database, host, port }: PostgresAddress): string => `${host}:${port}/${database ?? ""}`

// The error shows no part of the URL, which may be part of the password.
const badUrl = () => {
  const message = "the database URL is not like postgres://user:password@host:5432/database"
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" }) })
}

/** Parses a URL as `@effect/sql-pg` does: query parameters override the host, port and path. */
export const addressOf = Effect.fnUntraced(function* (redacted: Redacted.Redacted) {
  const url = yield* Effect.try({ try: () => new URL(Redacted.value(redacted)), catch: badUrl })
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") return yield* badUrl()
  const parameter = (name: string) => url.searchParams.get(name) ?? undefined
  const decoded = (text: string) => Effect.try({ try: () => decodeURIComponent(text), catch: badUrl })
  const host = parameter("host") ?? (yield* decoded(url.hostname.replace(/^\[|\]$/gu, "")))
  const database = parameter("dbname") ?? (yield* decoded(url.pathname.slice(1)))
  const address: PostgresAddress = {
    host: host === "" ? "localhost" : host,
    port: Number(parameter("port") ?? url.port) || 5432,
    ...(database === "" ? {} : { database })
  }
  return address
})

/**
 * Connects to the address. Closes the connection when it has received nothing for `silence` milliseconds: when the
 * server's machine or the network fails, nobody else closes it, and the kernel's own timeout is 15 minutes.
 */
export const connectTo = ({ host, port }: PostgresAddress, silence: number): Socket => {
  const socket = host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port}` })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: silence })
  return socket.setTimeout(silence, () => socket.destroy(new Error("the database has stopped answering")))
}
