import type { MoverStore } from "@headgate/mover-runtime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

/** Opens the mover's ledger in the store. It is loaded only by a server that moves rows. */
export class OpenLedger extends Context.Service<OpenLedger, Effect.Effect<MoverStore>>()(
  "headgate-server/mover/OpenLedger"
) {}

/** In the database, beside the pipes. */
export const sqlLedger = Layer.effect(
  OpenLedger,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Effect.gen(function* () {
      const [{ SqlHistory, SqlLeases, SqlLedger }, { History, Leases, Ledger }] = yield* Effect.promise(() =>
        Promise.all([import("@headgate/sql-adapter/mover"), import("@headgate/mover")])
      )
      const context = yield* Effect.scoped(
        Layer.build(Layer.mergeAll(SqlHistory.layer, SqlLedger.layer, SqlLeases.layer()))
      )
      const ledger = Context.get(context, Ledger)
      const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
      const metrics = Context.get(context, Leases)
      const history = Context.get(context, History)
      const opened: MoverStore = { ledger, metrics, history, ...(isShared ? { leases: metrics } : {}) }
      return opened
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  )
)

/** In memory: lost with the pipes when the server ends. */
export const memoryLedger = Layer.succeed(
  OpenLedger,
  Effect.map(
    Effect.promise(() => import("@headgate/mover/memory")),
    ({ MemoryHistory, MemoryLeases, MemoryLedger }): MoverStore => {
      const { ledger, totals } = MemoryLedger.make()
      return { ledger, metrics: MemoryLeases.make(), history: MemoryHistory.make(totals) }
    }
  )
)
