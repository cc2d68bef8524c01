import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"

/** Where a Postgres listens, and which of its databases is meant; without who may enter. */
export interface PostgresAddress {
  /** A host name or an IP address; or the folder of a Unix socket, which begins with `/`. */
  readonly host: string
  readonly port: number
  /** Absent: the one that is named like the user. */
  readonly database?: string
}

/** The address, as messages name it. */
export const formatAddress = ({ database, host, port }: PostgresAddress): string => `${host}:${port}/${database ?? ""}`

// Nothing of the URL is in the error: the password may be what is wrong with it.
const badUrl = () => {
  const message = "the database URL is not like postgres://user:password@host:5432/database"
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" }) })
}

/** Reads the address off a URL, as `@effect/sql-pg` does: a query parameter comes before what stands in the path. */
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
 * Connects to the address. A server that fell silent (its machine has died, the network is parted) closes nothing and
 * answers nothing, and the kernel gives up on it after a quarter of an hour only: when nothing was heard for `silence`
 * milliseconds, the connection is closed from this side.
 */
export const connectTo = ({ host, port }: PostgresAddress, silence: number): Socket => {
  const socket = host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port}` })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: silence })
  return socket.setTimeout(silence, () => socket.destroy(new Error("the database has fallen silent")))
}
