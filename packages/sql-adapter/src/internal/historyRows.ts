import type { HistoryQuery, PipeAddress } from "@headgate/core"
import { historyRules, type PackedHistory } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { inChunks } from "./inChunks.ts"
import { orServerError } from "./outage.ts"
import { makeTransitionTime } from "./storeClock.ts"
import { readTransaction } from "./transaction.ts"

export interface NotesRow {
  /** It names the pipe. */
  readonly seq: number
  readonly since: number
  readonly notes: string
}

export interface PackedRow extends PackedHistory {
  readonly seq: number
}

/** Until when the movers that notes name were alive. */
export const makeReadAlive = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (rows: ReadonlyArray<NotesRow>) {
    const named = rows.flatMap(({ notes, since }) => historyRules.moversIn(historyRules.parseNotes(since, notes)))
    const found = yield* inChunks(
      Array.from(new Set(named)),
      (movers) => sql<{ readonly mover: number; readonly minute: number }>`
        SELECT seq AS mover, alive_until AS minute FROM history_mover WHERE seq IN ${sql.in(movers)}`
    )
    return new Map(found.map(({ minute, mover }) => [Number(mover), minute]))
  })

/** The spans of notes. */
export const spansOf = ({ notes, since }: NotesRow, aliveUntil: ReadonlyMap<number, number>) =>
  historyRules.spansOfNotes(historyRules.parseNotes(since, notes), aliveUntil)

/** Reads what is stored of a pipe that touches `[from, to)`, in minutes. */
export const makeReadHistory = (sql: SqlClient.SqlClient) => {
  const readAlive = makeReadAlive(sql)
  return (pipeId: string, from: number, to: number) =>
    readTransaction(sql)(
      Effect.gen(function* () {
        const packed = yield* sql<PackedHistory>`
          SELECT step, begins, ends, spans FROM packed_history
          WHERE pipe_seq = (SELECT seq FROM history_pipe WHERE pipe_id = ${pipeId}) AND begins < ${to} AND ends >= ${from}
          ORDER BY begins, seq`
        const rows = yield* sql<NotesRow>`
          SELECT seq, since, notes FROM history_pipe WHERE pipe_id = ${pipeId} AND notes <> ''`
        const aliveUntil = yield* readAlive(rows)
        const spans = [...packed.flatMap(historyRules.unpack), ...rows.flatMap((row) => spansOf(row, aliveUntil))]
        return spans.filter(({ at, minutes }) => at < to && at + minutes > from)
      })
    )
}

/** The answer to a query, of a pipe that is there. */
export const makeHistory = (sql: SqlClient.SqlClient) => {
  const readHistory = makeReadHistory(sql)
  const transitionTime = makeTransitionTime(sql)
  return Effect.fn("SqlPipes.history")(function* ({ pipeId }: PipeAddress, query: HistoryQuery) {
    const { now } = yield* orServerError(transitionTime)
    const window = yield* historyRules.windowOf(query, Math.floor(now / 60_000))
    return historyRules.answer(yield* orServerError(readHistory(pipeId, window.from, window.to)), window)
  })
}

/** The current minute: that of the database's clock, or of `clock` where it has none, in milliseconds. */
export const minuteColumn = (sql: SqlClient.SqlClient, clock: number) =>
  sql.onDialectOrElse({
    pg: () => sql.literal("CAST(FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) / 60) AS INTEGER)"),
    orElse: () => sql.literal(String(Math.floor(clock / 60_000)))
  })
