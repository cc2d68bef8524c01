import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, type Round, runRounds } from "@headgate/harness/rounds"
import { table, type Target } from "@headgate/harness/table"
import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { contestants, headgate, inSqlite, startHeadgate } from "./Contestant.ts"
import { connections } from "./load.ts"
import { compare, cpu, type Measured, type MeasureOptions, throughput } from "./measure.ts"
import { type Bounds, type Scenario, scenarioNamed, scenarios } from "./scenarios.ts"

export interface PartOptions extends MeasureOptions {
  readonly logging: ReadonlyArray<boolean>
}

/** Measures, prints its table, and returns its targets. */
export type Part = (options: PartOptions) => Promise<ReadonlyArray<Target>>

const show = (title: string, rows: ReadonlyArray<ReadonlyArray<string>>) => {
  say()
  for (const line of table([[title, ...(rows[0] ?? []).slice(1)], ...rows.slice(1)])) say(line)
}

/** The columns that every table of requests has. */
const figures = (rounds: ReadonlyArray<Round<Measured>>, name: string) => [
  medianOf(rounds, name, cpu).toFixed(1),
  medianOf(rounds, name, throughput).toFixed(0),
  medianOf(rounds, name, ({ p99Milliseconds }) => p99Milliseconds).toFixed(2)
]

/** A scenario against all contestants. */
const comparison =
  (name: string, scenario: (Scenario & { readonly bounds: Bounds }) | undefined): Part =>
  async (options) => {
    if (scenario === undefined) {
      say(`\nSKIPPED ${name}: the contract has no such operation`)
      return []
    }
    const targets: Array<Target> = []
    for (const isLogging of options.logging) {
      const rounds = await compare(contestants, scenario, { ...options, isLogging })
      const ratio = (of: string, to: string) => medianRatio(rounds, of, to, cpu)
      show(`${name}, ${isLogging ? "one JSON line a request" : "no access log"}`, [
        ["", "CPU us", "requests/s", "p99 ms", "/ fastify"],
        ...contestants.map((contestant) => [
          contestant.name,
          ...figures(rounds, contestant.name),
          ratio(contestant.name, "fastify").toFixed(2)
        ])
      ])
      if (isLogging) continue
      const { memoryToFastify, sqliteToFastify } = scenario.bounds
      const target = (of: string, atMost: number) =>
        targets.push({ what: `${name}, ${of}, CPU / fastify`, atMost, measured: ratio(of, "fastify") })
      target("headgate memory", memoryToFastify)
      if (sqliteToFastify !== undefined) target("headgate sqlite", sqliteToFastify)
    }
    return targets
  }

/** POST key over SQLite: writes that share a commit against one commit for each write. */
const durable: Part = async (options) => {
  const [one, grouped] = ["one commit a write", "grouped commits"] as const
  const compared = [headgate(one, inSqlite, { HEADGATE_SQLITE_GROUP: "1" }), headgate(grouped, inSqlite)]
  const rounds = await compare(compared, scenarioNamed("POST key"), options)
  const ratio = (name: string, of: (measured: Measured) => number) => medianRatio(rounds, name, one, of)
  show(`POST key, SQLite, ${connections} connections`, [
    ["", "CPU us", "requests/s", "p99 ms", "cores", "CPU ratio", "requests/s ratio"],
    ...compared.map(({ name }) => [
      name,
      ...figures(rounds, name),
      medianOf(rounds, name, ({ cores }) => cores).toFixed(2),
      ratio(name, cpu).toFixed(2),
      ratio(name, throughput).toFixed(2)
    ])
  ])
  return [
    { what: "POST key, SQLite, requests/s, grouped / one a write", atLeast: 4, measured: ratio(grouped, throughput) }
  ]
}

const starts = 20

/** From the start of a process until it accepts requests. */
const startup: Part = async ({ directory }) => {
  const again = join(directory, "again")
  const listening = async (flag: string) => {
    const { stop } = await startHeadgate([flag])
    return stop
  }
  const nodeAlone = () =>
    new Promise<void>((resolve, reject) =>
      spawn(process.execPath, ["-e", "0"], { stdio: "ignore" })
        .once("error", reject)
        .once("close", () => resolve())
    )
  const cases: ReadonlyArray<{
    readonly name: string
    readonly start: () => Promise<void | (() => Promise<unknown>)>
  }> = [
    { name: "node -e 0, start to end", start: nodeAlone },
    { name: "headgate-server --memory", start: () => listening("--memory") },
    {
      name: "headgate-server, a new database",
      start: () => listening(`--data=${mkdtempSync(join(directory, "fresh-"))}`)
    },
    { name: "headgate-server, an existing database", start: () => listening(`--data=${again}`) }
  ]
  const timed = async ({ start }: (typeof cases)[number]) => {
    const began = performance.now()
    const stop = await start()
    const milliseconds = performance.now() - began
    await stop?.()
    return milliseconds
  }
  // The first start fills the compile cache.
  for (const one of cases) await timed(one)
  const rounds = await runRounds(cases, starts, timed)
  const inMilliseconds = (name: string) => medianOf(rounds, name, (milliseconds) => milliseconds)
  show(`until it accepts requests, median of ${starts}`, [
    ["", "ms"],
    ...cases.map(({ name }) => [name, inMilliseconds(name).toFixed(0)])
  ])
  const measured = inMilliseconds("headgate-server --memory")
  return [{ what: "start of headgate-server --memory, ms", atMost: 150, measured }]
}

/** What `--only` takes. */
export const parts: Readonly<Record<string, Part>> = {
  ...Object.fromEntries(
    Array.from(scenarios, ([name, scenario]) => [name.toLowerCase().replaceAll(" ", "-"), comparison(name, scenario)])
  ),
  "durable-writes": durable,
  startup
}
