import type { PipeId } from "@headgate/core"
import type { Ledger, Leases } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"

/** What a mover has of the store. */
export interface OpenedLedger {
  readonly ledger: Ledger["Service"]
  /** Where the figures of pipes are kept. */
  readonly notes: Pick<Leases["Service"], "keepNotes" | "note">
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
  Effect.map(SqlClient.SqlClient, (sql) =>
    Effect.gen(function* () {
      const [{ SqlLeases, SqlLedger }, { Leases, Ledger }] = yield* Effect.promise(() =>
        Promise.all([import("@headgate/sql-adapter/mover"), import("@headgate/mover")])
      )
      const context = yield* Effect.scoped(Layer.build(Layer.merge(SqlLedger.layer, SqlLeases.layer())))
      const ledger = Context.get(context, Ledger)
      const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
      const notes = Context.get(context, Leases)
      const opened: OpenedLedger = { ledger, notes, ...(isShared ? { leases: notes } : {}) }
      return opened
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  )
)

const makeMemoryNotes = (): OpenedLedger["notes"] => {
  const kept = new Map<PipeId, string>()
  return {
    keepNotes: (_, notes) =>
      Effect.sync(() => {
        for (const [pipeId, note] of notes) kept.set(pipeId, note)
      }),
    note: (pipeId) =>
      Effect.sync(() => Option.map(Option.fromUndefinedOr(kept.get(pipeId)), (note) => ({ note, isHeld: false })))
  }
}

/** In memory: lost with the pipes when the server ends. */
export const memoryLedger = Layer.succeed(
  OpenLedger,
  Effect.map(
    Effect.promise(() => import("@headgate/mover/memory")),
    ({ MemoryLedger }): OpenedLedger => ({ ledger: MemoryLedger.make().ledger, notes: makeMemoryNotes() })
  )
)
