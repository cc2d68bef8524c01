import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { quoteString } from "../sql/quote.ts"
import { type EmbeddedOptions, validateEmbedded } from "./ClickHouseOptions.ts"
import { connectEmbedded } from "./embedded.ts"
import { endable } from "./endStatement.ts"
import { EngineFailure } from "./EngineFailure.ts"
import { failureOf, openClient, request } from "./overClient.ts"
import type { QueryEngine, QuerySettings } from "./QueryEngine.ts"
import { withLiterals } from "./statements.ts"

const setStatement = (settings: QuerySettings): string =>
  `SET ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${typeof value === "number" ? value : quoteString(value)}`)
    .join(", ")}`

/**
 * The engine inside this process, only read. Each query has a connection of its own, which takes a millisecond: its settings stay when it
 * only reads, and one that runs a query that was ended is used by no other. The engine knows queries by a comment.
 */
export const embeddedQueries = Effect.fnUntraced(function* (
  options: Pick<EmbeddedOptions, "database" | "directory" | "load">
) {
  const { database } = yield* validateEmbedded(options)
  const openConnection = yield* connectEmbedded(options)
  const connect = Effect.mapError(
    openClient(openConnection),
    ({ message }) => new EngineFailure({ code: undefined, message })
  )
  const never = new AbortController().signal
  // A connection is not closed while its statement runs: short ones are waited for.
  const execute = (client: Effect.Success<typeof connect>, query: string) =>
    Effect.uninterruptible(Effect.tryPromise({ try: () => request(client, { query }, never), catch: failureOf }))
  const end = (mark: string) =>
    Effect.scoped(
      Effect.flatMap(connect, (client) =>
        execute(client, `KILL QUERY WHERE query LIKE ${quoteString(`${mark}%`)} ASYNC`)
      )
    )
  const engine: QueryEngine = {
    database,
    run: (sql, settings, parameters = {}) =>
      Effect.gen(function* () {
        const client = yield* connect
        yield* execute(client, setStatement(settings))
        yield* execute(client, "SET readonly = 1")
        const mark = `/* headgate:${randomUUID()} */`
        const { query } = withLiterals(sql, parameters)
        // The connection ignores a signal: an abort would only leave the query behind.
        return yield* endable(() => request(client, { query: `${mark} ${query}` }, never), failureOf, end(mark))
      }).pipe(Effect.scoped)
  }
  return engine
})
