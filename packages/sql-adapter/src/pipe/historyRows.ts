import { historyRules, type PackedHistory } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { inChunks } from "../internal/inChunks.ts"
import { readTransaction } from "../internal/transaction.ts"

export interface NotesRow {
  readonly pipeId: string
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
          SELECT step, begins, ends, spans FROM pipe_history
          WHERE pipe_id = ${pipeId} AND begins < ${to} AND ends >= ${from} ORDER BY begins, seq`
        const rows = yield* sql<NotesRow>`
          SELECT pipe_id AS "pipeId", since, notes FROM pipe_note WHERE pipe_id = ${pipeId} AND notes <> ''`
        const aliveUntil = yield* readAlive(rows)
        const spans = [...packed.flatMap(historyRules.unpack), ...rows.flatMap((row) => spansOf(row, aliveUntil))]
        return spans.filter(({ at, minutes }) => at < to && at + minutes > from)
      })
    )
}

/** The current minute: that of the database's clock, or of `clock` where it has none, in milliseconds. */
export const minuteColumn = (sql: SqlClient.SqlClient, clock: number) =>
  sql.onDialectOrElse({
    pg: () => sql.literal("CAST(FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) / 60) AS INTEGER)"),
    orElse: () => sql.literal(String(Math.floor(clock / 60_000)))
  })
