import { PipeId } from "@headgate/core"
import { type DividedLoad, LedgerError, type MoverSession, type WeightedPipe } from "@headgate/mover"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { chunk } from "../internal/inChunks.ts"
import { orFailWith } from "../internal/outage.ts"
import { nowColumn } from "../internal/storeClock.ts"
import { writeStatement, writeTransaction } from "../internal/transaction.ts"

/** What a session says of the pipes that it has. */
export type SaidLoad = Omit<DividedLoad, "movers">

/** A session as it is stored. `expiresAt`: 0 once another session has found it expired. */
export interface SessionRow extends SaidLoad {
  readonly id: string
  readonly serves: string
  readonly expiresAt: number
  readonly resting: number
  /** The database's clock, where it has one. */
  readonly now: number | null
}

/** A pipe that some session has had. */
export interface LeaseRow {
  readonly pipeId: string
  readonly sessionId: string
  readonly weight: number
  /** 0 if the session has given it back. */
  readonly held: number
  /** 1 if the session has ended. */
  readonly ended: number
}

/** An outage of the database, as an error of the port. */
export const orLedgerError = orFailWith(
  () => new LedgerError({ message: "the database of the leases does not answer" })
)

/** The time by which sessions expire, in a statement: the database's clock, or that of this process over SQLite. */
export const makeNow = (sql: SqlClient.SqlClient): Effect.Effect<Fragment> =>
  Effect.map(Clock.currentTimeMillis, (millis) =>
    sql.onDialectOrElse({
      pg: () => sql.literal("CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS DOUBLE PRECISION)"),
      orElse: () => sql`${millis}`
    })
  )

/**
 * The statements of sessions and their leases. Each is a transaction of its own, and every condition stands in the WHERE of the row that
 * it changes: Postgres looks at that row anew after it has waited for it, and at nothing else.
 */
export const makeSessionStatements = (sql: SqlClient.SqlClient, lasting: number) => {
  const statement = writeStatement(sql)
  const now = makeNow(sql)
  // A statement that has locked a row is about to take it, to renew it or to delete it. Nobody waits for that.
  const locked = (table: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(`FOR ${table} SKIP LOCKED`), orElse: () => sql`` })

  return {
    /** Begins a session; `false` if there is or was one of its id. */
    begin: Effect.fnUntraced(function* ({ id, isResting = false, serves }: MoverSession) {
      const begun = yield* statement(sql<{ readonly id: string }>`
        INSERT INTO mover_session (id, serves, expires_at, resting, pipes, load, lightest)
        VALUES (${id}, ${serves}, ${yield* now} + ${lasting}, ${isResting ? 1 : 0}, 0, 0, 1)
        ON CONFLICT (id) DO NOTHING RETURNING id`)
      return begun.length > 0
    }),

    /** Renews a session, and says what it has; `false` if it has expired. */
    renew: Effect.fnUntraced(function* ({ id, isResting = false }: MoverSession, { lightest, load, pipes }: SaidLoad) {
      const time = yield* now
      const renewed = yield* statement(sql<{ readonly id: string }>`
        UPDATE mover_session SET expires_at = ${time} + ${lasting}, resting = ${isResting ? 1 : 0}, pipes = ${pipes},
          load = ${load}, lightest = ${lightest}
        WHERE id = ${id} AND expires_at > ${time} RETURNING id`)
      return renewed.length > 0
    }),

    sessions: sql<SessionRow>`
      SELECT id, serves, expires_at AS "expiresAt", resting, pipes, load, lightest, ${nowColumn(sql)} FROM mover_session`,

    /**
     * Ends the sessions that have expired. It changes their rows, so that a renewal of the same moment either comes before, and nothing is
     * ended, or finds 0: a session that has ended never comes back, and its pipes are free.
     */
    endExpired: Effect.gen(function* () {
      const time = yield* now
      yield* statement(sql`
        UPDATE mover_session SET expires_at = 0
        WHERE expires_at > 0 AND expires_at <= ${time} AND id IN (
          SELECT id FROM mover_session WHERE expires_at > 0 AND expires_at <= ${time} ${locked("UPDATE")})`)
    }),

    /** Every lease: it is read only when some pipe seems to be free. */
    leases: sql<LeaseRow>`
      SELECT l.pipe_id AS "pipeId", l.session_id AS "sessionId", l.weight, l.held,
        CASE WHEN s.id IS NULL OR s.expires_at = 0 THEN 1 ELSE 0 END AS ended
      FROM pipe_lease AS l LEFT JOIN mover_session AS s ON s.id = l.session_id`,

    leasesOf: (id: string) => sql<WeightedPipe>`
      SELECT pipe_id AS "pipeId", weight FROM pipe_lease WHERE session_id = ${id} AND held = 1`,

    /** Takes those of these pipes that nobody has, or one of the sessions that have `ended`. */
    take: Effect.fnUntraced(function* (id: string, pipeIds: ReadonlyArray<PipeId>, ended: ReadonlyArray<string>) {
      const taken: Array<WeightedPipe> = []
      // In one order, so that two movers do not wait for each other.
      for (const ids of Arr.chunksOf(pipeIds.toSorted(), chunk)) {
        const rows = yield* statement(sql<{ readonly pipeId: string; readonly weight: number }>`
          INSERT INTO pipe_lease (pipe_id, session_id, held, taken, weight)
          SELECT id, ${id}, 1, 1, 1 FROM pipe WHERE id IN ${sql.in(ids)} ORDER BY id ${locked("KEY SHARE")}
          ON CONFLICT (pipe_id) DO UPDATE
            SET session_id = excluded.session_id, held = 1, taken = pipe_lease.taken + 1
            WHERE pipe_lease.held = 0 OR pipe_lease.session_id IN ${sql.in(["", ...ended])}
          RETURNING pipe_id AS "pipeId", weight`)
        taken.push(...rows.map(({ pipeId, weight }) => ({ pipeId: PipeId.make(pipeId), weight })))
      }
      return taken
    }),

    giveBack: Effect.fnUntraced(function* (id: string, pipeIds: ReadonlyArray<PipeId>) {
      for (const ids of Arr.chunksOf(pipeIds, chunk)) {
        yield* statement(
          sql`UPDATE pipe_lease SET held = 0 WHERE session_id = ${id} AND held = 1 AND pipe_id IN ${sql.in(ids)}`
        )
      }
    }),

    /** Keeps how much pipes weigh, for the movers that have them later. */
    weigh: Effect.fnUntraced(function* (id: string, pipes: ReadonlyArray<WeightedPipe>) {
      for (const group of Object.values(Arr.groupBy(pipes, (pipe) => String(pipe.weight)))) {
        const [{ weight }] = group
        for (const part of Arr.chunksOf(group, chunk)) {
          const ids = part.map(({ pipeId }) => pipeId)
          yield* statement(sql`
            UPDATE pipe_lease SET weight = ${weight} WHERE session_id = ${id} AND held = 1 AND pipe_id IN ${sql.in(ids)}`)
        }
      }
    }),

    /** Removes the sessions that have ended, with what is left of their leases. */
    removeEnded: Effect.fnUntraced(function* (ended: ReadonlyArray<string>) {
      yield* statement(sql`
        UPDATE pipe_lease SET held = 0 WHERE held = 1 AND session_id IN ${sql.in(ended)} AND pipe_id IN (
          SELECT pipe_id FROM pipe_lease WHERE held = 1 AND session_id IN ${sql.in(ended)} ${locked("UPDATE")})`)
      yield* statement(sql`
        DELETE FROM mover_session WHERE expires_at = 0 AND id IN ${sql.in(ended)} AND NOT EXISTS (
          SELECT 1 FROM pipe_lease WHERE pipe_lease.session_id = mover_session.id AND pipe_lease.held = 1)`)
    }),

    release: (id: string) =>
      writeTransaction(sql)(
        Effect.andThen(
          sql`UPDATE pipe_lease SET held = 0 WHERE session_id = ${id} AND held = 1`,
          sql`DELETE FROM mover_session WHERE id = ${id}`
        )
      ),

    held: Effect.gen(function* () {
      const [row] = yield* sql<{ readonly pipes: number | null }>`
        SELECT CAST(SUM(pipes) AS DOUBLE PRECISION) AS pipes FROM mover_session WHERE expires_at > ${yield* now}`
      return row?.pipes ?? 0
    })
  }
}
