import { createClient } from "@clickhouse/client"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { defaultTimeout, type ServerOptions, validateServer } from "./ClickHouseOptions.ts"
import { log, openClient, overClient } from "./overClient.ts"
import { asForm } from "./statements.ts"

/** A server, over its HTTP interface. */
export const server = Effect.fnUntraced(function* (options: ServerOptions) {
  const { database, password, timeout = defaultTimeout, url, user } = yield* validateServer(options)
  const { origin, pathname } = new URL(url)
  const client = yield* openClient(() =>
    createClient({
      url: origin,
      // The client would take the path of its `url` for a database.
      pathname,
      username: user,
      password: Redacted.value(password),
      // Every statement names its database, which may not exist yet.
      database: "default",
      request_timeout: Duration.toMillis(timeout),
      compression: { request: false, response: false },
      log
    })
  )
  return overClient({ client, database, timeout, write: asForm })
})
