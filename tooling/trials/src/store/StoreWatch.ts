// Looks at the store of a trial beside the movers: the load of Postgres, the counts that movers have saved, and commands of a slow caller.
import { filledOrganizations, filledPipeId, filledPipeIndex } from "@headgate/harness/fillPipes"
import { postgresSeconds } from "@headgate/harness/postgresUsage"
import type { Random } from "@headgate/harness/Random"
import type { Verdict } from "@headgate/harness/Verdict"
import { Leases } from "@headgate/mover"
import { PipeId } from "@headgate/core"
import { Postgres } from "@headgate/sql-adapter"
import { SqlLeases } from "@headgate/sql-adapter/mover"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { setTimeout as sleep } from "node:timers/promises"

// In milliseconds. What is seen within the first was seen by a poll, as a rule; nothing is judged after the second.
const shortestStop = 6000
const longestStop = 60_000

/** How many pipes one transaction stops at most. */
const mostStopped = 6

/** A Postgres that is busy takes its time. */
const longest = Duration.minutes(1)

const rowsOf = (saved: string): number => {
  const { rows = 0 } = JSON.parse(saved)
  return Number(rows)
}

/** What looks at the store; it ends with the scope. */
export const watchStore = Effect.fnUntraced(function* (url: string, pipes: number, verdict: Verdict) {
  const pool = { url: Redacted.make(url), maxConnections: 3, connectTimeout: longest, statementTimeout: longest }
  const layer = Layer.provideMerge(SqlLeases.layer(), Postgres.layer(pool))
  const context = yield* Layer.build(layer)
  const [sql, leases] = [Context.get(context, SqlClient.SqlClient), Context.get(context, Leases)]
  const ids = Array.from({ length: pipes }, (_, index) => PipeId.make(filledPipeId(index)))
  const highest = new Map<string, number>()
  const state = { isOver: false, backward: 0 }

  /** The rows of a pipe never go down while it is not read anew. */
  const look = async () => {
    const saved = await Effect.runPromise(leases.savedMetrics(ids))
    for (const [id, { metrics }] of saved) {
      const [before, rows] = [highest.get(id) ?? 0, rowsOf(metrics)]
      if (rows < before) state.backward += 1
      highest.set(id, rows)
    }
  }
  const watching = async () => {
    for (; !state.isOver; await sleep(500)) await look().catch(() => undefined)
  }
  const watched = watching()

  /** Writes a command into a pipe, as servers of every version do. */
  const command = (index: number, state: string, goal: string) => {
    const progress = JSON.stringify({ since: Date.now(), steps: [], goal })
    return sql`
      UPDATE pipe SET version = version + 1, progress = ${progress},
        document = regexp_replace(document, '"state":"[A-Za-z]+"', ${`"state":"${state}"`})
      WHERE id = ${filledPipeId(index)}`
  }
  const pipesOf = (organization: number): ReadonlyArray<number> =>
    ids.flatMap((_, index) => (index % filledOrganizations === organization ? [index] : [])).slice(0, mostStopped)
  const notStopped = async (indexes: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
    if (indexes.length === 0) return []
    const moving = await Effect.runPromise(sql<{ readonly id: string }>`
      SELECT id FROM pipe WHERE id IN ${sql.in(indexes.map(filledPipeId))} AND document NOT LIKE '%"state":"Stopped"%'`)
    return moving.map(({ id }) => filledPipeIndex(id))
  }

  return {
    seconds: () => Effect.runPromise(postgresSeconds(sql)),
    /** How many pipes are in each state. */
    states: async (): Promise<string> => {
      const rows = await Effect.runPromise(sql<{ readonly state: string; readonly count: number }>`
        SELECT substring(document FROM '"state":"([A-Za-z]+)"') AS state, count(*)::int AS count FROM pipe GROUP BY 1`)
      return rows.map(({ count, state }) => `${count} ${state}`).join(", ")
    },
    /**
     * Stops pipes in a transaction that stays open while others commit, and as many other pipes after it. The movers must see the first
     * about as soon as the others: by a poll, and not by the next list of all pipes, which comes every 30 s.
     */
    stopSlowly: async (random: Random): Promise<void> => {
      const of = random.between(0, filledOrganizations - 1)
      // Several, because their movers list all pipes at different times. Changes of one organization wait for each other.
      const [slow, fast] = [pipesOf(of), pipesOf((of + 1) % filledOrganizations)]
      const stop = (index: number) => command(index, "Stopping", "Stopped")
      await Effect.runPromise(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* Effect.forEach(slow, stop)
            yield* Effect.sleep("1 seconds")
            // On another connection: it has a later number, and is committed before.
            yield* Effect.promise(() =>
              Effect.runPromise(Effect.forEach(fast, (index) => command(index, "Provisioning", "Running")))
            )
            yield* Effect.sleep("2 seconds")
          })
        )
      )
      await Effect.runPromise(Effect.forEach(fast, stop))
      const from = performance.now()
      let [waiting, bound]: [ReadonlyArray<number>, number] = [slow, longestStop]
      let fastWaiting: ReadonlyArray<number> = fast
      for (; performance.now() - from < bound && waiting.length > 0; await sleep(100)) {
        waiting = await notStopped(waiting)
        fastWaiting = await notStopped(fastWaiting)
        // A busy machine takes longer for all of them.
        if (fastWaiting.length === 0) bound = Math.min(bound, Math.max(shortestStop, 2 * (performance.now() - from)))
      }
      const took = `${((performance.now() - from) / 1000).toFixed(1)} s`
      verdict.hold(
        waiting.length === 0,
        `${waiting.length} of ${slow.length} pipes that a slow transaction stopped move on after ${took}`
      )
      await Effect.runPromise(Effect.forEach([...slow, ...fast], (index) => command(index, "Provisioning", "Running")))
    },
    end: async (): Promise<void> => {
      state.isOver = true
      await watched
      verdict.hold(state.backward === 0, `the saved rows of a pipe went back ${state.backward} times`)
    }
  }
})
