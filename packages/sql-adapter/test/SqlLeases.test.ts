import { Leases } from "@headgate/mover"
import { lawPipeId, leaseLaws, otherPipeId } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter } from "../src/index.ts"
import { SqlLeases } from "../src/mover/index.ts"
import { insertPipes } from "./support/ledgers.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"

/** Leases in a new database. */
const makeIn = <E>(store: Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.fnUntraced(function* (leaseTime: Duration.Duration) {
    const context = yield* Layer.build(Layer.provideMerge(SqlLeases.layer({ leaseTime }), Layer.fresh(store)))
    yield* Effect.provideContext(insertPipes(lawPipeId, otherPipeId), context)
    return Context.get(context, Leases)
  })

leaseLaws({ name: "SQLite", make: makeIn(SqlAdapter.layerSqlite({ filename: ":memory:" })) })

describePostgres("Leases in Postgres", (postgres) => {
  const store = Layer.unwrap(
    Effect.map(
      Effect.flatMap(postgres, ({ lendDatabase }) => lendDatabase),
      (url) => SqlAdapter.layerPostgres({ url, sealingKey })
    )
  )
  leaseLaws({ name: "Postgres", make: makeIn(store) })
})
