import type { PipeId } from "@headgate/core"
import { Sealing } from "@headgate/core/adapter"
import { Cleanups, LedgerError, type PendingCleanup } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { openSealed } from "../internal/openSealed.ts"
import { orFailWith } from "../internal/outage.ts"
import { cleanupSecretName } from "../internal/resealCleanups.ts"
import { writeStatement } from "../internal/transaction.ts"

interface CleanupRow {
  readonly pipeId: PipeId
  readonly kind: string
  readonly remains: string
  readonly source: string
  readonly attempts: number
  readonly lastError: string | null
}

const orLedgerError = orFailWith(() => new LedgerError({ message: "the store does not answer at present" }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  return Cleanups.of({
    add: Effect.fn("SqlCleanups.add")(function* ({ kind, pipeId, remains, source }) {
      const sealed = yield* sealing.seal(Redacted.value(source), cleanupSecretName(pipeId))
      yield* orLedgerError(
        writeStatement(sql)(sql`
          INSERT INTO mover_cleanup (pipe_id, kind, remains, source) VALUES (${pipeId}, ${kind}, ${remains}, ${sealed})
          ON CONFLICT (pipe_id) DO UPDATE SET kind = excluded.kind, remains = excluded.remains, source = excluded.source,
            attempts = 0, last_error = NULL`)
      )
    }),
    list: orLedgerError(
      Effect.gen(function* () {
        const rows = yield* sql<CleanupRow>`
          SELECT pipe_id AS "pipeId", kind, remains, source, attempts, last_error AS "lastError" FROM mover_cleanup
          ORDER BY pipe_id`
        return yield* Effect.forEach(rows, ({ lastError, source, ...row }) =>
          Effect.map(openSealed(sealing, source, cleanupSecretName(row.pipeId)), (text): PendingCleanup => ({
            ...row,
            source: Redacted.make(text),
            ...(lastError === null ? {} : { lastError })
          }))
        )
      })
    ),
    markFailed: Effect.fn("SqlCleanups.markFailed")(function* (pipeId, message) {
      yield* orLedgerError(
        writeStatement(sql)(
          sql`UPDATE mover_cleanup SET attempts = attempts + 1, last_error = ${message} WHERE pipe_id = ${pipeId}`
        )
      )
    }),
    remove: Effect.fn("SqlCleanups.remove")(function* (pipeId) {
      yield* orLedgerError(writeStatement(sql)(sql`DELETE FROM mover_cleanup WHERE pipe_id = ${pipeId}`))
    })
  })
})

const layer: Layer.Layer<Cleanups, never, SqlClient.SqlClient | Sealing> = Layer.effect(Cleanups, make)

/**
 * The mover's `Cleanups` over SQL. What a source is reached with is sealed with the key of the store.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlSealing } from "@headgate/sql-adapter"
 * import { SqlCleanups } from "@headgate/sql-adapter/mover"
 * import * as Layer from "effect/Layer"
 *
 * const filename = "data/headgate.db"
 * export const cleanups = SqlCleanups.layer.pipe(
 *   Layer.provide(SqlSealing.layerBeside(filename)),
 *   Layer.provide(NodeSqlite.layer({ filename }))
 * )
 * ```
 */
export const SqlCleanups = { layer }
