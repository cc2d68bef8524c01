import type { Ledger } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

/** Opens the mover's ledger in the store. It is loaded only by a server that moves rows. */
export class OpenLedger extends Context.Service<OpenLedger, Effect.Effect<Ledger["Service"]>>()(
  "headgate-server/mover/OpenLedger"
) {}

/** In the database, beside the pipes. */
export const sqlLedger = Layer.effect(
  OpenLedger,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Effect.gen(function* () {
      const [{ SqlLedger }, { Ledger }] = yield* Effect.promise(() =>
        Promise.all([import("@headgate/sql-adapter/mover"), import("@headgate/mover")])
      )
      const context = yield* Effect.scoped(Layer.build(SqlLedger.layer))
      return Context.get(context, Ledger)
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  )
)

/** In memory: lost with the pipes when the server ends. */
export const memoryLedger = Layer.succeed(
  OpenLedger,
  Effect.map(
    Effect.promise(() => import("@headgate/mover/memory")),
    ({ MemoryLedger }) => MemoryLedger.make().ledger
  )
)
