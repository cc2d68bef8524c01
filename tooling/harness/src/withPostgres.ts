import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { startPostgres } from "../../../packages/sql-adapter/test/support/startPostgres.ts"

/** Uses the URL of an empty database in a Postgres of its own, which is stopped and removed afterwards. */
export const withPostgres = <A>(use: (url: string) => Promise<A>): Promise<A> => {
  const binaries = postgresBinaries()
  if (binaries === undefined) {
    return Promise.reject(new Error("Postgres is not installed: apt-get install -y postgresql"))
  }
  const program = Effect.gen(function* () {
    const postgres = yield* startPostgres(binaries)
    const url = yield* postgres.createEmptyDatabase
    return yield* Effect.promise(() => use(Redacted.value(url)))
  })
  return Effect.runPromise(Effect.scoped(program))
}
