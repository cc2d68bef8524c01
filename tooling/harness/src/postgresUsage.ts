import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { readdirSync, readFileSync } from "node:fs"

/** The fields of /proc/<pid>/stat after the name of the program, which may hold anything; none if the process is gone. */
const fieldsOf = (pid: number): ReadonlyArray<number> => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat
      .slice(stat.lastIndexOf(") ") + 2)
      .split(" ")
      .map(Number)
  } catch {
    return []
  }
}

/** A process counts in steps of 10 ms. */
const ticksPerSecond = 100

/** Seconds of CPU, user and system. `ended`: of children that have ended. */
const secondsOf = (pid: number) => {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fieldsOf(pid).slice(11, 15)
  return { own: (user + system) / ticksPerSecond, ended: (endedUser + endedSystem) / ticksPerSecond }
}

const parentOf = (pid: number): number => fieldsOf(pid)[1] ?? 0

const pidsOf = (sql: SqlClient) => sql<{ readonly pid: number }>`
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** Seconds of CPU that all processes of a Postgres have used so far, those that have ended included. */
export const postgresSeconds = Effect.fnUntraced(function* (sql: SqlClient) {
  const [row] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
  const postmaster = parentOf(row?.pid ?? 0)
  const children = readdirSync("/proc").flatMap((name) => {
    const pid = Number(name)
    return Number.isInteger(pid) && parentOf(pid) === postmaster ? [pid] : []
  })
  const { ended, own } = secondsOf(postmaster)
  return children.reduce((sum, pid) => sum + secondsOf(pid).own, own + ended)
})

/**
 * Returns what reads the seconds of CPU that the connections to a database have used. It is read often: what a connection has used between the
 * last time and its end is not counted.
 */
export const makeConnectionSeconds = (sql: SqlClient) => {
  const known = new Map<number, number>()
  return Effect.gen(function* () {
    for (const { pid } of yield* pidsOf(sql)) known.set(pid, Math.max(known.get(pid) ?? 0, secondsOf(pid).own))
    return Array.from(known.values()).reduce((sum, one) => sum + one, 0)
  })
}
