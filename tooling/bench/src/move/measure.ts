// What a way to move rows costs: the CPU time of this process, in which the embedded engine is, and nothing of brokers and storages.
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, type Round, runRounds } from "@headgate/harness/rounds"
import { table } from "@headgate/harness/table"
import * as Effect from "effect/Effect"
import type { Environment } from "./environment.ts"

/** One way to move rows. */
export interface Contestant {
  readonly name: string
  /** How many rows the source has. */
  readonly rows: number
  /** Succeeds when all of them are in the table of this name. */
  readonly move: (table: string) => Effect.Effect<void, unknown>
}

export interface Cost {
  /** User and system time a row, in microseconds. */
  readonly cpu: number
  readonly seconds: number
}

type Costs = ReadonlyArray<Round<Cost>>

const cpuOf = ({ cpu }: Cost) => cpu

/** How many rows a second one way moves, of CPU or of time, as a share of what another one does. */
export const rateTarget = (costs: Costs, name: string, to: string, atLeast: number, by: "CPU" | "time") => ({
  what: `${name} / ${to}, rows a second${by === "CPU" ? " of CPU" : ""}`,
  atLeast,
  measured: medianRatio(costs, to, name, by === "CPU" ? cpuOf : ({ seconds }) => seconds)
})

let tables = 0

/** Measures the ways in turn, says what is wrong with their tables, and prints what they cost. */
export const measure = Effect.fnUntraced(function* (
  { engine }: Environment,
  title: string,
  contestants: ReadonlyArray<Contestant>,
  rounds: number
) {
  const run = (sql: string) => Effect.runPromise(engine.run(sql))
  const costs: Costs = yield* Effect.promise(() =>
    runRounds(contestants, rounds, async ({ move, name, rows }) => {
      tables += 1
      const to = `moved_${tables}`
      const [before, start] = [process.cpuUsage(), performance.now()]
      await Effect.runPromise(move(to))
      const seconds = (performance.now() - start) / 1000
      const { system, user } = process.cpuUsage(before)
      const found = (await run(`SELECT count(), uniqExact(id) FROM ${to} FORMAT TSV`)).trim()
      if (found !== `${rows}\t${rows}`) say(`${name}: ${found} rows and ids, in place of ${rows}`)
      for (const one of [to, `${to}_pipe_errors`]) await run(`DROP TABLE IF EXISTS ${one} SYNC`)
      return { cpu: (user + system) / rows, seconds }
    })
  )
  say()
  for (const line of table([
    [`${title}, ${costs.length} rounds`, "CPU us/row", "rows/s"],
    ...contestants.map(({ name, rows }) => [
      name,
      medianOf(costs, name, cpuOf).toFixed(2),
      (rows / medianOf(costs, name, ({ seconds }) => seconds)).toFixed(0)
    ])
  ]))
    say(line)
  say()
  return costs
})
