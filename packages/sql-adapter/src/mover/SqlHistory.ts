import { PipeId } from "@headgate/core"
import { historyRules, type PackedHistory } from "@headgate/core/adapter"
import { History, type HistoryNote, LedgerError } from "@headgate/mover"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { orFailWith } from "../internal/outage.ts"
import { writeStatement, writeTransaction } from "../internal/transaction.ts"
import {
  makeReadAlive,
  makeReadHistory,
  minuteColumn,
  type NotesRow,
  type PackedRow,
  spansOf
} from "../internal/historyRows.ts"

const orLedgerError = orFailWith(() => new LedgerError({ message: "the database of the history does not answer" }))

const minutesOfDay = 24 * 60

/** How many notes one statement of SQLite takes, and for how long other writers go first then. Postgres takes all in one. */
const sqliteNotes = 25
const sqlitePause = "10 millis"

/** The most pipes that are packed and made coarser in one `tidy`, and the most rows that it removes: enough for 10,000 moving pipes. */
const mostPacked = 500
const mostThinned = 200
const mostRemoved = 500

/** So many rows of a pipe are made one coarser row together, or fewer if the oldest is older than two days. */
const thinnedRows = 6

/** Another process has changed the rows meanwhile: what was to be done is done, or is done later. */
const raced = Effect.fail("raced" as const)

/** The notes as the rows `v` of a statement: `pipe`, `epoch`, and `said`, the end of the text of each. */
const noteRows = (sql: SqlClient.SqlClient, notes: ReadonlyArray<HistoryNote>) => {
  const json = JSON.stringify(
    notes.map(({ epoch, lag, pipeId, state }) => ({
      pipe: pipeId,
      epoch,
      said: ` ${lag ?? "-"} ${historyRules.stateNumber(state)};`
    }))
  )
  return sql.onDialectOrElse({
    pg: () => sql`jsonb_to_recordset(CAST(${json} AS jsonb)) AS v (pipe TEXT, epoch INTEGER, said TEXT)`,
    orElse: () => sql`(
      SELECT value ->> '$.pipe' AS pipe, value ->> '$.epoch' AS epoch, value ->> '$.said' AS said FROM json_each(${json})
    ) AS v`
  })
}

/** The statement that adds to the notes of many pipes. What is said of them is compared with the row that it changes. */
const addNotes = (
  sql: SqlClient.SqlClient,
  clock: number,
  mover: number,
  notes: ReadonlyArray<HistoryNote>,
  minute: "this" | "last"
) => {
  // Of totals that fell, all of what they are now was delivered since; within an epoch none falls, and a statement that takes effect after a
  // later one changes nothing. A row of the epoch -1 does not know what was noted last.
  const delivered = (total: string) =>
    sql.literal(`CAST(CAST(CASE WHEN o.epoch < 0 THEN 0 WHEN n.${total} < o.${total} THEN n.${total}
      ELSE n.${total} - o.${total} END AS BIGINT) AS TEXT)`)
  const noted =
    minute === "this"
      ? sql.literal("n.minute")
      : sql.literal("(CASE WHEN o.last_minute = n.minute THEN n.minute ELSE n.minute - 1 END)")
  const since = sql.literal("(CASE WHEN o.notes = '' THEN n.minute ELSE o.since END)")
  return sql<{ readonly pipeId: string; readonly size: number; readonly minutes: number }>`
    UPDATE history_pipe AS o SET epoch = n.epoch, total_rows = n.total_rows, total_rejected = n.total_rejected,
      total_bytes = n.total_bytes, last_minute = ${noted}, since = ${since},
      notes = o.notes || CAST(${noted} - ${since} AS TEXT) || CAST(${` ${mover} `} AS TEXT) || ${delivered("total_rows")} || ' '
        || ${delivered("total_rejected")} || ' ' || ${delivered("total_bytes")} || n.said
    FROM (
      SELECT v.pipe, v.epoch, v.said, m.minute, p.earlier_rows + p.delivered_rows AS total_rows,
        p.earlier_rejected + p.rejected_rows AS total_rejected, p.earlier_bytes + p.delivered_bytes AS total_bytes
      FROM ${noteRows(sql, notes)} JOIN mover_pipe AS p ON p.pipe_id = v.pipe AND p.epoch = v.epoch
        CROSS JOIN (SELECT ${minuteColumn(sql, clock)} AS minute) AS m
    ) AS n
    WHERE o.pipe_id = n.pipe AND (o.epoch < n.epoch OR (o.epoch = n.epoch AND o.total_rows <= n.total_rows))
    RETURNING pipe_id AS "pipeId", length(notes) AS size, last_minute - since AS minutes`
}

/** The steps that keep the history small. */
const upkeep = (sql: SqlClient.SqlClient) => {
  const readAlive = makeReadAlive(sql)
  const insertPacked = (note: number, { begins, ends, spans, step }: PackedHistory) =>
    sql`INSERT INTO packed_history ${sql.insert({ pipe_seq: note, step, begins, ends, spans })}`

  /** Packs the notes of a pipe, unless notes were added to them meanwhile. */
  const pack = (row: NotesRow, aliveUntil: ReadonlyMap<number, number>, minute: number) =>
    Effect.gen(function* () {
      const rest = historyRules.restOfNotes(row.since, row.notes, aliveUntil, minute)
      const changed = yield* sql`
        UPDATE history_pipe SET since = ${minute}, notes = ${rest}
        WHERE seq = ${row.seq} AND since = ${row.since} AND notes = ${row.notes} RETURNING seq`
      if (changed.length === 0) return
      const packed = historyRules.pack(spansOf(row, aliveUntil), 1)
      if (packed !== undefined) yield* insertPacked(row.seq, packed)
    })

  return {
    packNotes: Effect.fnUntraced(function* (pipeIds: ReadonlyArray<string>, minute: number) {
      if (pipeIds.length === 0) return
      const rows = yield* sql<NotesRow>`
        SELECT seq, since, notes FROM history_pipe WHERE pipe_id IN ${sql.in(pipeIds)} ORDER BY pipe_id`
      const aliveUntil = yield* readAlive(rows)
      for (const some of Arr.chunksOf(rows, 20)) {
        yield* writeTransaction(sql)(Effect.forEach(some, (row) => pack(row, aliveUntil, minute), { discard: true }))
      }
    }),

    /** Makes the rows coarser that are older than a day. It may be any process, also of pipes that nobody moves. */
    thin: Effect.fnUntraced(function* (minute: number) {
      const end = minute - historyRules.fineFor - historyRules.coarseStep
      const due = yield* sql<{ readonly note: number }>`
        SELECT pipe_seq AS note FROM packed_history WHERE step = 1 AND ends < ${end} GROUP BY pipe_seq
        HAVING COUNT(*) >= ${thinnedRows} OR MIN(ends) < ${end - minutesOfDay} LIMIT ${mostThinned}`
      for (const { note } of due) {
        const replace = Effect.gen(function* () {
          const rows = yield* sql<PackedRow>`
            SELECT seq, step, begins, ends, spans FROM packed_history
            WHERE pipe_seq = ${note} AND step = 1 AND ends < ${end} ORDER BY begins, seq`
          if (rows.length === 0) return
          const removed = yield* sql`
            DELETE FROM packed_history WHERE seq IN ${sql.in(rows.map(({ seq }) => seq))} RETURNING seq`
          if (removed.length < rows.length) return yield* raced
          const thinned = historyRules.thin(rows)
          if (thinned !== undefined) yield* insertPacked(note, thinned)
        })
        yield* Effect.catchIf(
          writeTransaction(sql)(replace),
          (error) => error === "raced",
          () => Effect.void
        )
      }
    }),

    /** Removes what is older. */
    remove: Effect.fnUntraced(function* (oldest: number) {
      for (const step of [1, historyRules.coarseStep]) {
        yield* writeStatement(sql)(sql`
          DELETE FROM packed_history WHERE seq IN (
            SELECT seq FROM packed_history WHERE step = ${step} AND ends < ${oldest} ORDER BY ends LIMIT ${mostRemoved})`)
      }
      yield* writeStatement(sql)(sql`
        UPDATE history_pipe SET notes = '' WHERE pipe_id IN (
          SELECT pipe_id FROM history_pipe WHERE last_minute < ${oldest} AND notes <> '' LIMIT ${mostRemoved})`)
      // No note that is left names them.
      yield* writeStatement(sql)(sql`DELETE FROM history_mover WHERE alive_until < ${oldest - minutesOfDay}`)
    })
  }
}

/** How many times `tidy` is called until it looks at old rows, which need no haste. */
const oldEvery = 5

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const readHistory = makeReadHistory(sql)
  const { packNotes, remove, thin } = upkeep(sql)
  const isSqlite = sql.onDialectOrElse({ pg: () => false, orElse: () => true })
  /** The pipes of this process whose notes are long enough to be packed. */
  const full = new Set<string>()
  let calls = 0

  const currentMinute = Effect.gen(function* () {
    const clock = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{ readonly minute: number }>`SELECT ${minuteColumn(sql, clock)} AS minute`
    return row?.minute ?? Math.floor(clock / 60_000)
  })

  return History.of({
    beat: Effect.fn("SqlHistory.beat")(function* (last) {
      const clock = yield* Clock.currentTimeMillis
      const minute = minuteColumn(sql, clock)
      const goOn = sql<{ readonly mover: number }>`
        UPDATE history_mover SET alive_until = ${minute}
        WHERE seq = ${last ?? 0} AND alive_until BETWEEN ${minute} - ${sql.literal(String(historyRules.longestPause))} AND ${minute}
        RETURNING seq AS mover`
      const begin = sql<{ readonly mover: number }>`
        INSERT INTO history_mover (alive_until) VALUES (${minute}) RETURNING seq AS mover`
      const write = Effect.gen(function* () {
        const [row] = last === undefined ? [] : yield* goOn
        return row ?? (yield* begin)[0]
      })
      return Number((yield* orLedgerError(writeStatement(sql)(write)))?.mover ?? 0)
    }),

    note: Effect.fn("SqlHistory.note")(function* (mover, notes, minute) {
      const noted = new Set<PipeId>()
      const parts = Arr.chunksOf(notes, isSqlite ? sqliteNotes : Math.max(notes.length, 1))
      for (const [index, part] of parts.entries()) {
        if (index > 0) yield* Effect.sleep(sqlitePause)
        const clock = yield* Clock.currentTimeMillis
        const rows = yield* orLedgerError(writeStatement(sql)(addNotes(sql, clock, mover, part, minute)))
        for (const { minutes, pipeId, size } of rows) {
          noted.add(PipeId.make(pipeId))
          if (size > historyRules.mostNotes || minutes > historyRules.fineFor) full.add(pipeId)
        }
      }
      return noted
    }),

    tidy: Effect.fn("SqlHistory.tidy")(function* (days) {
      calls += 1
      const minute = yield* orLedgerError(currentMinute)
      const some = Array.from(full).slice(0, mostPacked)
      yield* orLedgerError(packNotes(some, minute))
      for (const pipeId of some) full.delete(pipeId)
      if (calls % oldEvery !== 1) return
      yield* orLedgerError(thin(minute))
      yield* orLedgerError(remove(minute - days * minutesOfDay))
    }),

    clear: orLedgerError(
      Effect.andThen(
        writeStatement(sql)(sql`DELETE FROM packed_history`),
        writeStatement(sql)(sql`UPDATE history_pipe SET epoch = -1, notes = '' WHERE epoch >= 0`)
      )
    ),

    read: Effect.fn("SqlHistory.read")(function* (pipeId, from, to) {
      return yield* orLedgerError(readHistory(pipeId, from, to))
    })
  })
})

/**
 * The mover's `History` over SQL. In Postgres the minutes are those of the database's clock. It needs the tables of `SqlLedger`. An
 * outage of the database is a `LedgerError`.
 *
 * @example
 * ```ts
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import { SqlHistory } from "@headgate/sql-adapter/mover"
 * import * as Layer from "effect/Layer"
 *
 * const store = SqlAdapter.layerSqlite({ filename: "data/headgate.db" })
 * export const history = SqlHistory.layer.pipe(Layer.provide(store))
 * ```
 */
export const SqlHistory = { layer: Layer.effect(History, make) }
