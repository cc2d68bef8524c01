import { EngineFailure, type QueryEngine, type QuerySettings } from "@headgate/clickhouse"
import { type CallError, InvalidRequest, type OrganizationId } from "@headgate/core"
import type { ChartEngine, QueryAnswer, TableQuery } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { formatSettings, readAnswer } from "../sql/readAnswer.ts"
import { writeQuery } from "../sql/writeQuery.ts"
import { chartTable } from "../table/chartTable.ts"
import { type FoundTable, lookUpTable } from "../table/lookUpTable.ts"
import type { QueryQueue } from "./QueryQueue.ts"
import { queryFailure } from "./queryFailure.ts"
import type { ShareQuery } from "./shareQueries.ts"
import { boundSettings, meaningSettings, type QueryBounds, sourceSettings } from "./querySettings.ts"

/** What the engines of databases share. */
export interface SharedParts {
  readonly bounds: QueryBounds
  readonly queue: QueryQueue
  /** Look-ups of tables are short, and do not wait for queries. */
  readonly lookUps: QueryQueue
  readonly share: ShareQuery<QueryAnswer, CallError>
}

/** A database that one organization asks. */
export interface ChartDatabaseOptions extends SharedParts {
  readonly organizationId: OrganizationId
  /** What tells it from another database: equal queries of it are shared. */
  readonly name: string
  readonly engine: QueryEngine
  readonly mayRead: (database: string, table: string, found: FoundTable) => Effect.Effect<boolean, CallError>
  /** Whether a name is that of a table which nobody reads: it is not even looked up. */
  readonly isHidden: (database: string, table: string) => boolean
  /** Why the SQL of callers is not run; `undefined` if it is. */
  readonly rawRefusal: Effect.Effect<string | undefined, CallError>
}

/** Seconds that the engine has to end what takes too long. */
const grace = 1

const tookTooLong = 159

const refuse = (message: string) => Effect.fail(new InvalidRequest({ message, issues: [] }))

/** A database as charts of one organization ask it. */
export const chartDatabase = (options: ChartDatabaseOptions): ChartEngine => {
  const { bounds, engine, lookUps, name, organizationId, queue, share } = options
  const own: QuerySettings = { ...boundSettings(bounds), ...formatSettings }
  const refine = (failure: EngineFailure) => queryFailure(failure, bounds)
  // What the engine does not end itself in time is ended here. `code`: the engine's number of what that is.
  const ended = <A>(statement: Effect.Effect<A, EngineFailure>, code: number | undefined) =>
    statement.pipe(
      Effect.timeoutOrElse({
        duration: Duration.seconds(bounds.seconds + grace),
        orElse: () => Effect.fail(new EngineFailure({ code, message: "the statement was ended by this program" }))
      }),
      Effect.catchTag("EngineFailure", refine)
    )

  const run = (
    sql: string,
    settings: QuerySettings,
    read: (text: string) => ReturnType<typeof readAnswer>,
    parameters: Readonly<Record<string, string>> = {}
  ): Effect.Effect<QueryAnswer, CallError> => {
    const limited = { ...own, ...settings }
    const text = ended(engine.run(sql, limited, parameters), tookTooLong)
    const answer = Effect.flatMap(text, (answered) =>
      Effect.catchTag(read(answered), "SchemaError", () =>
        refuse("the database has not answered in the format that was asked for: leave out FORMAT")
      )
    )
    const key = JSON.stringify([name, organizationId, sql, settings, parameters])
    return share(key, (begins) => queue.run(organizationId, Effect.andThen(begins, answer)))
  }

  return {
    findTable: Effect.fn("ChartEngine.findTable")(function* (asked, table) {
      const database = asked ?? engine.database
      if (options.isHidden(database, table)) return undefined
      const lookUp = ended(lookUpTable(engine, boundSettings(bounds), database, table), undefined)
      const found = yield* lookUps.run(organizationId, lookUp)
      if (found === undefined || !(yield* options.mayRead(database, table, found))) return undefined
      return chartTable(database, table, found)
    }),
    query: Effect.fn("ChartEngine.query")(function* (query: TableQuery, given = []) {
      const { hasGroupCount, names, sql, unknown } = writeQuery(query)
      const [missing] = unknown
      if (missing !== undefined) return yield* refuse(`there is no column ${JSON.stringify(missing)}`)
      const { settings, warnings } = sourceSettings(given, bounds)
      const answer = yield* run(`${sql} FORMAT JSONCompact`, { ...meaningSettings, ...settings }, (text) =>
        readAnswer(text, names, hasGroupCount)
      )
      const isCut = query._tag === "Grouped" && query.mostSeries !== undefined
      // Without groups there is one series, if there are rows.
      return isCut && !hasGroupCount
        ? { ...answer, groups: Math.min(answer.rows.length, 1), warnings }
        : { ...answer, warnings }
    }),
    raw: Effect.fn("ChartEngine.raw")(function* (sql, parameters) {
      const refusal = yield* options.rawRefusal
      if (refusal !== undefined) return yield* refuse(refusal)
      const texts = Object.fromEntries(
        Object.entries(parameters).map(([parameter, value]) => [parameter, String(Math.trunc(value))])
      )
      return yield* run(sql, { default_format: "JSONCompact" }, readAnswer, texts)
    })
  }
}
