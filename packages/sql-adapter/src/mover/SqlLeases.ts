import { PipeId } from "@headgate/core"
import { divideLeases, LedgerError, Leases, leaseTime as defaultLeaseTime } from "@headgate/mover"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { chunk, inChunks } from "../internal/inChunks.ts"
import { orFailWith } from "../internal/outage.ts"
import { makeTransitionTime, nowColumn } from "../internal/storeClock.ts"
import { writeTransaction } from "../internal/transaction.ts"

interface LeaseRow {
  readonly pipeId: string
  readonly mover: string
  readonly expiresAt: number
}

/** What a mover said of a pipe. `now`: the database's clock, where it has one. */
interface SavedRow {
  readonly pipeId: string
  readonly note: string
  readonly expiresAt: number
  readonly now: number | null
}

const orLedgerError = orFailWith(() => new LedgerError({ message: "the database of the leases does not answer" }))

/** A lease is renewed when so much of its time has passed. So a mover that asks often writes seldom. */
const renewedAfter = 0.4

const make = Effect.fnUntraced(function* (leaseTime: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const write = writeTransaction(sql)
  const transitionTime = makeTransitionTime(sql)
  const lasting = Duration.toMillis(leaseTime)

  const share: Leases["Service"]["share"] = Effect.fn("SqlLeases.share")(function* ({ name: mover, serves }, pipes) {
    const divide = Effect.gen(function* () {
      const { now } = yield* transitionTime
      const expiresAt = now + lasting
      const isDue = (expires: number | undefined) =>
        expires === undefined || expires - now < lasting * (1 - renewedAfter)
      const processes = yield* sql<{ readonly mover: string; readonly expiresAt: number }>`
        SELECT mover, expires_at AS "expiresAt" FROM mover_process WHERE serves = ${serves}`
      if (isDue(processes.find((process) => process.mover === mover)?.expiresAt)) {
        yield* sql`DELETE FROM mover_process WHERE expires_at <= ${now}`
        yield* sql`INSERT INTO mover_process ${sql.insert({ mover, serves, expires_at: expiresAt })}
          ON CONFLICT (mover) DO UPDATE SET expires_at = excluded.expires_at`
      }
      const movers = new Set([mover, ...processes.flatMap((one) => (one.expiresAt > now ? [one.mover] : []))]).size
      const rows = yield* sql<LeaseRow>`
        SELECT pipe_id AS "pipeId", mover, expires_at AS "expiresAt" FROM mover_lease WHERE expires_at > ${now}`
      const held = rows.map((row) => ({ ...row, pipeId: PipeId.make(row.pipeId) }))
      const { giveBack, keep, take } = divideLeases({ mover, movers, pipes, held })
      const expires = new Map(held.map((lease) => [lease.pipeId, lease.expiresAt] as const))
      const renewed = keep.filter((pipeId) => isDue(expires.get(pipeId)))
      const mine = new Set(keep.filter((pipeId) => !renewed.includes(pipeId)))
      for (const pipeIds of Arr.chunksOf(giveBack, chunk)) {
        yield* sql`UPDATE mover_lease SET expires_at = 0 WHERE mover = ${mover} AND pipe_id IN ${sql.in(pipeIds)}`
      }
      // In one order, so that two movers do not wait for each other.
      for (const pipeIds of Arr.chunksOf([...renewed, ...take].toSorted(), chunk)) {
        const leases = Arr.map(pipeIds, (pipeId) => ({
          pipe_id: pipeId,
          mover,
          expires_at: expiresAt,
          note: ""
        }))
        const taken = yield* sql<{ readonly pipeId: string }>`
          INSERT INTO mover_lease ${sql.insert(leases)}
          ON CONFLICT (pipe_id) DO UPDATE
            SET mover = excluded.mover, expires_at = excluded.expires_at
            WHERE mover_lease.mover = excluded.mover OR mover_lease.expires_at <= ${now}
          RETURNING pipe_id AS "pipeId"`
        for (const { pipeId } of taken) mine.add(PipeId.make(pipeId))
      }
      return mine
    })
    return yield* orLedgerError(write(divide))
  })

  return Leases.of({
    share,
    release: Effect.fn("SqlLeases.release")(function* (mover) {
      const remove = Effect.andThen(
        sql`UPDATE mover_lease SET expires_at = 0 WHERE mover = ${mover} AND expires_at > 0`,
        sql`DELETE FROM mover_process WHERE mover = ${mover}`
      )
      yield* orLedgerError(write(remove))
    }),
    saveMetrics: Effect.fn("SqlLeases.saveMetrics")(function* (mover, metrics) {
      const keep = Effect.gen(function* () {
        const { now } = yield* transitionTime
        // In one order, so that two movers do not wait for each other.
        for (const pipeIds of Arr.chunksOf(Array.from(metrics.keys()).toSorted(), chunk)) {
          const found = yield* sql<{ readonly id: string }>`SELECT id FROM pipe WHERE id IN ${sql.in(pipeIds)}`
          const held = new Set(found.map(({ id }) => id))
          const rows = pipeIds
            .filter((pipeId) => held.has(pipeId))
            .map((pipeId) => ({ pipe_id: pipeId, mover, expires_at: 0, note: metrics.get(pipeId) ?? "" }))
          if (!Arr.isArrayNonEmpty(rows)) continue
          yield* sql`
            INSERT INTO mover_lease ${sql.insert(rows)}
            ON CONFLICT (pipe_id) DO UPDATE SET mover = excluded.mover, note = excluded.note
              WHERE mover_lease.mover = excluded.mover OR mover_lease.expires_at <= ${now}`
        }
      })
      yield* orLedgerError(write(keep))
    }),
    savedMetrics: Effect.fn("SqlLeases.savedMetrics")(function* (pipeIds) {
      const clock = yield* Clock.currentTimeMillis
      const rows = yield* orLedgerError(
        inChunks(
          pipeIds,
          (ids) => sql<SavedRow>`
            SELECT pipe_id AS "pipeId", note, expires_at AS "expiresAt", ${nowColumn(sql)} FROM mover_lease
            WHERE pipe_id IN ${sql.in(ids)} AND note <> ''`
        )
      )
      return new Map(
        rows.map(({ expiresAt, note, now, pipeId }) => [
          PipeId.make(pipeId),
          { metrics: note, isHeld: expiresAt > (now ?? clock) }
        ])
      )
    })
  })
})

/**
 * The mover's `Leases` over SQL, for movers that share a database. In Postgres the database's clock counts. `leaseTime`: how long a
 * pipe stays with a mover that does not ask any more; by default 10 seconds. An outage of the database is a `LedgerError`.
 *
 * @example
 * ```ts
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import { SqlLeases } from "@headgate/sql-adapter/mover"
 * import * as Layer from "effect/Layer"
 *
 * const store = SqlAdapter.layerSqlite({ filename: "data/headgate.db" })
 * export const leases = SqlLeases.layer().pipe(Layer.provide(store))
 * ```
 */
export const SqlLeases = {
  layer: (options: { readonly leaseTime?: Duration.Duration } = {}): Layer.Layer<Leases, never, SqlClient.SqlClient> =>
    Layer.effect(Leases, make(options.leaseTime ?? defaultLeaseTime))
}
