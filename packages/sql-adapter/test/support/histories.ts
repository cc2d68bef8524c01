import { History, Ledger } from "@headgate/mover"
import { lawPipeId, otherPipeId } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlHistory, SqlLedger } from "../../src/mover/index.ts"
import { insertPipes } from "./ledgers.ts"

/** A history in a new database. */
export const makeIn = Effect.fnUntraced(function* <E>(store: Layer.Layer<SqlClient.SqlClient, E>) {
  const context = yield* Layer.build(
    Layer.provideMerge(Layer.merge(SqlHistory.layer, SqlLedger.layer), Layer.fresh(store))
  )
  yield* Effect.provideContext(insertPipes(lawPipeId, otherPipeId), context)
  const sql = Context.get(context, SqlClient.SqlClient)
  return { history: Context.get(context, History), ledger: Context.get(context, Ledger), sql }
})
