import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../src/index.ts"
import { sqlLaws } from "./support/sqlLaws.ts"
import { describePostgres, noTimeouts, sealingKey } from "./support/postgres.ts"

const name = "Postgres"

describePostgres(name, (postgres) => {
  /** The adapter over a new database. */
  const empty = Layer.unwrap(
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      return SqlAdapter.layerPostgres({ ...noTimeouts, url: yield* lendDatabase, sealingKey })
    })
  )
  sqlLaws(name, empty)
})
