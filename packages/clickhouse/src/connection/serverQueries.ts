import { createClient } from "@clickhouse/client"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import { isIPv6, type LookupFunction } from "node:net"
import { quoteString } from "../sql/quote.ts"
import { type ServerOptions, validateServer } from "./ClickHouseOptions.ts"
import { endable } from "./endStatement.ts"
import { EngineFailure } from "./EngineFailure.ts"
import { failureOf, log, openClient, request } from "./overClient.ts"
import type { QueryEngine } from "./QueryEngine.ts"
import { asForm } from "./statements.ts"

/** A server that is read, by a user for queries. */
export interface QueryServerOptions extends Omit<ServerOptions, "timeout"> {
  /** The address that is connected to, which the host of the URL was resolved to before. */
  readonly address?: string
}

const lookupOf =
  (address: string): LookupFunction =>
  (_, options, callback) => {
    const family = isIPv6(address) ? 6 : 4
    if (options.all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }

/** Connections of a client to one address, whatever the name of the host leads to by then. */
const agentOf = (url: URL, address: string) => {
  const options = { keepAlive: false, lookup: lookupOf(address) }
  return url.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options)
}

/** The engine's number of the error of a setting that a profile keeps from being changed. */
const refusedSetting = 452

// Longer than any query may run.
const requestTimeout = 10 * 60 * 1000

/**
 * A server over its HTTP interface, only read: each request carries its settings, and `readonly` where its user has not. A user with
 * `readonly = 1` takes no settings, so it can be given no limits and its answers have another form: its queries fail.
 */
export const serverQueries = Effect.fnUntraced(function* ({ address, ...options }: QueryServerOptions) {
  const { database, password, url: text, user } = yield* validateServer(options)
  const url = new URL(text)
  const client = yield* openClient(() =>
    createClient({
      url: url.origin,
      pathname: url.pathname,
      username: user,
      password: Redacted.value(password),
      database: "default",
      request_timeout: requestTimeout,
      compression: { request: false, response: false },
      ...(address === undefined ? {} : { http_agent: agentOf(url, address) }),
      log
    })
  )
  const plain = (query: string) =>
    Effect.tryPromise({ try: (signal) => request(client, { query }, signal), catch: failureOf })
  let known: string | undefined
  const readonlyOfUser = Effect.gen(function* () {
    known ??= (yield* plain("SELECT toString(getSetting('readonly')) FORMAT TSV")).trim()
    if (known !== "1") return known
    return yield* new EngineFailure({
      code: refusedSetting,
      message: "the user of queries has readonly = 1, which lets no request set its limits"
    })
  })
  const engine: QueryEngine = {
    database,
    run: (sql, settings, parameters = {}) =>
      Effect.flatMap(readonlyOfUser, (readonly) => {
        const queryId = `headgate-${randomUUID()}`
        const statement = {
          ...asForm(sql, parameters),
          query_id: queryId,
          settings: {
            ...settings,
            cancel_http_readonly_queries_on_client_close: 1,
            ...(readonly === "0" ? { readonly: "1" } : {})
          }
        }
        return endable(
          (signal) => request(client, statement, signal),
          failureOf,
          plain(`KILL QUERY WHERE query_id = ${quoteString(queryId)} ASYNC`)
        )
      })
  }
  return engine
})
