import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
/** A Postgres that runs for the tests alone. */
export interface TestPostgres {
  /** The URL of a new database with Headgate's tables in it, and nothing in them; it goes with the scope. */
  readonly createDatabase: Effect.Effect<Redacted.Redacted, never, Scope.Scope>
  /** The URL of a new database with nothing in it; it goes with the scope. */
  readonly createEmptyDatabase: Effect.Effect<Redacted.Redacted, never, Scope.Scope>
  /** Stops Postgres, which ends every connection, while the effect runs; then starts it again on the same data. */
  readonly whileStopped: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}
/** A Postgres of one's own, from the binaries in the folder given; it is stopped, and its data gone, with the scope. */
export declare const startPostgres: (
  binaries: string
) => Effect.Effect<TestPostgres, import("effect/sql/SqlError").SqlError, Scope.Scope>
