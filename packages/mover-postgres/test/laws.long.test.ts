import { changeSourceLaws, type LawChange } from "@headgate/mover/laws"
import * as Effect from "effect/Effect"
import { PostgresSource } from "../src/index.ts"
import { quoteLiteral } from "../src/protocol/quote.ts"
import { describePostgres, type TestDatabase } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"

const statement = (change: LawChange): string => {
  switch (change[0]) {
    case "put": {
      const text = change[2] === null ? "NULL" : quoteLiteral(change[2])
      return `INSERT INTO t VALUES (${change[1]}, ${text}) ON CONFLICT (id) DO UPDATE SET text = EXCLUDED.text, day = NULL`
    }
    case "move":
      return `UPDATE t SET id = ${change[2]}, text = ${quoteLiteral(change[3])} WHERE id = ${change[1]}`
    case "remove":
      return `DELETE FROM t WHERE id = ${change[1]}`
    case "truncate":
      return "TRUNCATE t"
    case "rejected":
      return `INSERT INTO t VALUES (${change[1]}, 'rejected', 'infinity') ON CONFLICT (id) DO UPDATE SET day = EXCLUDED.day`
  }
}

const sourceOf = (database: TestDatabase) => PostgresSource.make(optionsFor(database, ["t"], { rowsPerPart: 10 }))

describePostgres("a database as a source", (newDatabase) => {
  changeSourceLaws({
    name: "Postgres",
    make: Effect.gen(function* () {
      const [database, other] = [yield* newDatabase, yield* newDatabase]
      const create = "CREATE TABLE t (id int PRIMARY KEY, text text, day date)"
      yield* database.run(create)
      return {
        source: sourceOf(database),
        commit: (...changes) => database.run(changes.map(statement).join("; ")),
        remake: database.run(`DROP TABLE t; ${create}`),
        otherIdentity: sourceOf(other).identity
      }
    })
  })
})
