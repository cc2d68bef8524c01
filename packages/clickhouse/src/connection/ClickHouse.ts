import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { EngineFailure } from "./EngineFailure.ts"

/** How a statement is run. */
export interface RunOptions {
  /** The engine's ID of the statement. It runs one of an ID at a time. The embedded engine has none. */
  readonly queryId?: string
  /** How long the statement may take, in the place of the engine's own timeout. Short ones do not wait for it. */
  readonly timeout?: Duration.Duration
  /** The statement waits for a storage, and reads little of it. Only other looks wait for it. */
  readonly looksAtObject?: boolean
}

/** An insert whose rows follow as bytes. */
export interface InsertStatement {
  /** The table and its columns, as SQL. */
  readonly into: string
  /** `SETTINGS ... FORMAT ...`, as SQL. */
  readonly format: string
}

/** A ClickHouse engine: a server, or the one inside this process. All pipes into it share it. */
export class ClickHouse extends Context.Service<
  ClickHouse,
  {
    /** The database of destinations that name none. */
    readonly database: string
    /** Runs a statement and returns its answer, as text. Values are parameters, `{name:String}` in the statement. */
    readonly run: (
      sql: string,
      parameters?: Readonly<Record<string, string>>,
      options?: RunOptions
    ) => Effect.Effect<string, EngineFailure>
    /** Runs an insert, each chunk of bytes whole rows. `refine` says what a failure means. */
    readonly insert: <E, F>(
      statement: InsertStatement,
      rows: Stream.Stream<Uint8Array, E>,
      refine: (failure: EngineFailure) => F
    ) => Effect.Effect<void, E | F>
  }
>()("@headgate/clickhouse/ClickHouse") {}
