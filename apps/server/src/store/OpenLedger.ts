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
      const [{ SqlLeases, SqlLedger }, { Leases, Ledger }] = yield* Effect.promise(() =>
        Promise.all([import("@headgate/sql-adapter/mover"), import("@headgate/mover")])
      )
      const context = yield* Effect.scoped(Layer.build(Layer.merge(SqlLedger.layer, SqlLeases.layer())))
      const ledger = Context.get(context, Ledger)
      const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
      const metrics = Context.get(context, Leases)
      const opened: MoverStore = { ledger, metrics, ...(isShared ? { leases: metrics } : {}) }
      return opened
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  )
)

/** In memory: lost with the pipes when the server ends. */
export const memoryLedger = Layer.succeed(
  OpenLedger,
  Effect.map(
    Effect.promise(() => import("@headgate/mover/memory")),
    ({ MemoryLeases, MemoryLedger }): MoverStore => ({
      ledger: MemoryLedger.make().ledger,
      metrics: MemoryLeases.make()
    })
  )
)
