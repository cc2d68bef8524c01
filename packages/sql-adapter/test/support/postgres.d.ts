import * as Effect from "effect/Effect"
import { type TestPostgres } from "./startPostgres.ts"
export { startPostgres, type TestPostgres } from "./startPostgres.ts"
export { postgresBinaries } from "./postgresBinaries.ts"
/**
 * A suite over a Postgres that starts before its first test and stops after its last. `postgres` is for the tests: it
 * is there when they run, not yet while the suite is declared.
 *
 * Where the machine has no Postgres the suite is skipped, and says so on stderr; with HEADGATE_REQUIRE_POSTGRES=1 it
 * fails.
 */
export declare const describePostgres: (name: string, body: (postgres: Effect.Effect<TestPostgres>) => void) => void
