import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../../error/CallError.ts"
import type { ConnectionId } from "../../id/dashboard.ts"
import type { OrganizationId } from "../../id/organization.ts"
import type { PipeId } from "../../id/pipe.ts"
import type { ChartTable, QueryAnswer, TableQuery } from "./TableQuery.ts"

/** A database that charts of one organization read. */
export interface ChartEngine {
  /**
   * A table that the organization may read; `undefined` for one that is not there, and for every other one. Without a database: that
   * of the engine.
   */
  readonly findTable: (database: string | undefined, name: string) => Effect.Effect<ChartTable | undefined, CallError>
  /**
   * Runs a query. It ends when the effect is interrupted. `settings`: the `querySettings` of a source, as they were stored; those that
   * are not taken are warnings of the answer. Fails with `InvalidRequest` for what the caller can change (a type that does not fit, too
   * many rows, too long), with `FailedDependency` if the database does not answer, with `ServerError` and `retryAfter` if too many
   * queries wait.
   */
  readonly query: (
    query: TableQuery,
    settings?: ReadonlyArray<{ readonly setting: string; readonly value: string }>
  ) => Effect.Effect<QueryAnswer & { readonly warnings: ReadonlyArray<string> }, CallError>
  /**
   * Runs the SQL of a caller with whole numbers of 64 bits as its parameters. Fails with `InvalidRequest`, which says why, where that
   * is not allowed.
   */
  readonly raw: (sql: string, parameters: Readonly<Record<string, number>>) => Effect.Effect<QueryAnswer, CallError>
}

/** The databases that charts of a store read. */
export class ChartEngines extends Context.Service<
  ChartEngines,
  {
    /**
     * The database of a connection; `undefined` if the organization has no such connection. Fails with `FailedDependency` if this server
     * queries nothing, and with `InvalidRequest` for a host that it does not ask.
     */
    readonly ofConnection: (
      organizationId: OrganizationId,
      connectionId: ConnectionId
    ) => Effect.Effect<ChartEngine | undefined, CallError>
    /**
     * The database of a pipe, and the tables that the pipe has created there, without error tables, in the order in which they were
     * opened; `undefined` if the organization has no pipe that has opened a table.
     */
    readonly ofPipe: (
      organizationId: OrganizationId,
      pipeId: PipeId
    ) => Effect.Effect<
      { readonly engine: ChartEngine; readonly database: string; readonly tables: ReadonlyArray<string> } | undefined,
      CallError
    >
  }
>()("@headgate/core/chart/ChartEngines") {}
