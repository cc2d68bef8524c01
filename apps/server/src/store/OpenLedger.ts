import { Sealing } from "@headgate/core/adapter"
import type { Cleanups, Ledger, Leases } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

/** What a mover has of the store. */
export interface OpenedLedger {
  readonly ledger: Ledger["Service"]
  readonly cleanups: Cleanups["Service"]
  /** Absent: no other server uses the store. */
  readonly leases?: Leases["Service"]
}

/** Opens the mover's ledger in the store. It is loaded only by a server that moves rows. */
export class OpenLedger extends Context.Service<OpenLedger, Effect.Effect<OpenedLedger>>()(
  "headgate-server/mover/OpenLedger"
) {}

/** In the database, beside the pipes. */
export const sqlLedger = Layer.effect(
  OpenLedger,
  Effect.map(Effect.all([SqlClient.SqlClient, Sealing]), ([sql, sealing]) =>
    Effect.gen(function* () {
      const [{ SqlCleanups, SqlLeases, SqlLedger }, { Cleanups, Leases, Ledger }] = yield* Effect.promise(() =>
        Promise.all([import("@headgate/sql-adapter/mover"), import("@headgate/mover")])
      )
      const context = yield* Effect.scoped(
        Layer.build(Layer.mergeAll(SqlLedger.layer, SqlLeases.layer(), SqlCleanups.layer))
      )
      const [ledger, cleanups] = [Context.get(context, Ledger), Context.get(context, Cleanups)]
      const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
      const opened: OpenedLedger = isShared
        ? { ledger, cleanups, leases: Context.get(context, Leases) }
        : { ledger, cleanups }
      return opened
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.provideService(Sealing, sealing))
  )
)

/** In memory: lost with the pipes when the server ends. */
export const memoryLedger = Layer.succeed(
  OpenLedger,
  Effect.map(
    Effect.promise(() => import("@headgate/mover/memory")),
    ({ MemoryCleanups, MemoryLedger }): OpenedLedger => ({
      ledger: MemoryLedger.make().ledger,
      cleanups: MemoryCleanups.make()
    })
  )
)
