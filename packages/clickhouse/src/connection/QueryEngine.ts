import type * as Effect from "effect/Effect"
import type { EngineFailure } from "./EngineFailure.ts"

/** Settings of one query, by name. Their names and texts are the program's own. */
export type QuerySettings = Readonly<Record<string, string | number>>

/** An engine that is only read. */
export interface QueryEngine {
  /** The database of queries that name none. */
  readonly database: string
  /**
   * Runs one statement with these settings, after which the engine takes no others and changes nothing. It is ended when the effect is
   * interrupted, which waits until nothing of it runs. Values are parameters, `{name:String}` in the statement.
   */
  readonly run: (
    sql: string,
    settings: QuerySettings,
    parameters?: Readonly<Record<string, string>>
  ) => Effect.Effect<string, EngineFailure>
}
