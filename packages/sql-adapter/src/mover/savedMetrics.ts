import { PipeId } from "@headgate/core"
import type { Leases } from "@headgate/mover"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { chunk, inChunks } from "../internal/inChunks.ts"
import { forKeyShare, writeStatement } from "../internal/transaction.ts"
import { makeNow, orLedgerError } from "./sessionStatements.ts"

/**
 * The metrics that movers keep of pipes. A row bears how many sessions had the pipe when it was written, so that it replaces no later one,
 * and its number in its session, so that a statement that takes effect late changes nothing.
 */
export const makeSavedMetrics = (sql: SqlClient.SqlClient): Pick<Leases["Service"], "saveMetrics" | "savedMetrics"> => {
  const statement = writeStatement(sql)
  const now = makeNow(sql)
  let said = 0
  const values = (json: string) =>
    sql.onDialectOrElse({
      pg: () => sql`json_to_recordset(CAST(${json} AS JSON)) AS v (id TEXT, metrics TEXT)`,
      orElse: () => sql`(SELECT value ->> 'id' AS id, value ->> 'metrics' AS metrics FROM json_each(${json})) AS v`
    })
  const lockPipe = sql.onDialectOrElse({ pg: () => sql`${forKeyShare(sql)} OF p`, orElse: () => sql`` })

  return {
    saveMetrics: Effect.fn("SqlLeases.saveMetrics")(function* (id, metrics) {
      const number = (said += 1)
      // In one order, so that two movers do not wait for each other.
      for (const pipeIds of Arr.chunksOf(Array.from(metrics.keys()).toSorted(), chunk)) {
        const rows = JSON.stringify(pipeIds.map((pipeId) => ({ id: pipeId, metrics: metrics.get(pipeId) })))
        const write = sql`
          INSERT INTO pipe_metrics (pipe_id, session_id, taken, said, metrics)
          SELECT p.id, ${id}, COALESCE(l.taken, 0), CAST(${number} AS INTEGER), v.metrics
          FROM ${values(rows)} JOIN pipe AS p ON p.id = v.id LEFT JOIN pipe_lease AS l ON l.pipe_id = p.id
          WHERE l.pipe_id IS NULL OR l.session_id = ${id} ORDER BY p.id ${lockPipe}
          ON CONFLICT (pipe_id) DO UPDATE
            SET session_id = excluded.session_id, taken = excluded.taken, said = excluded.said, metrics = excluded.metrics
            WHERE pipe_metrics.taken < excluded.taken OR (pipe_metrics.taken = excluded.taken
              AND (pipe_metrics.session_id <> excluded.session_id OR pipe_metrics.said < excluded.said))`
        yield* orLedgerError(statement(write))
      }
    }),
    savedMetrics: Effect.fn("SqlLeases.savedMetrics")(function* (pipeIds) {
      const time = yield* now
      const rows = yield* orLedgerError(
        inChunks(
          pipeIds,
          (ids) => sql<{ readonly pipeId: string; readonly metrics: string; readonly held: number }>`
            SELECT m.pipe_id AS "pipeId", m.metrics,
              CASE WHEN l.held = 1 AND s.expires_at > ${time} THEN 1 ELSE 0 END AS held
            FROM pipe_metrics AS m LEFT JOIN pipe_lease AS l ON l.pipe_id = m.pipe_id
              LEFT JOIN mover_session AS s ON s.id = l.session_id
            WHERE m.pipe_id IN ${sql.in(ids)}`
        )
      )
      return new Map(rows.map(({ held, metrics, pipeId }) => [PipeId.make(pipeId), { metrics, isHeld: held === 1 }]))
    })
  }
}
