import { authorizationOf, dashboardsPath, pipePath } from "@headgate/harness/Snapshot"
import { say } from "@headgate/harness/Verdict"
import { peakMebibytes, residentMebibytes } from "@headgate/harness/processUsage"
import { median, medianOf, medianRatio, type Round, runRounds } from "@headgate/harness/rounds"
import { table, type Target } from "@headgate/harness/table"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Contestant, contestants, headgate, inSqlite, startHeadgate } from "./Contestant.ts"
import { storeOfDashboards, storeOfPipes } from "./fillStore.ts"
import { connections } from "./load.ts"
import { compare, cpu, type Measured, type MeasureOptions, throughput } from "./measure.ts"
import { type Bounds, type Scenario, scenarioNamed, scenarios } from "./scenarios.ts"
import { first } from "./environment.ts"

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
      const rounds = await compare(contestants, () => scenario, { ...options, isLogging })
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

/** Variants of headgate against each other: the last one divided by the first one is the target's figure. */
const variants = async (
  title: string,
  compared: ReadonlyArray<Contestant>,
  scenarioOf: (name: string) => Scenario,
  options: MeasureOptions
) => {
  const rounds = await compare(compared, scenarioOf, options)
  const [reference = ""] = compared.map(({ name }) => name)
  const ratio = (name: string, of: (measured: Measured) => number) => medianRatio(rounds, name, reference, of)
  show(title, [
    ["", "CPU us", "requests/s", "p99 ms", "cores", "CPU ratio", "requests/s ratio"],
    ...compared.map(({ name }) => [
      name,
      ...figures(rounds, name),
      medianOf(rounds, name, ({ cores }) => cores).toFixed(2),
      ratio(name, cpu).toFixed(2),
      ratio(name, throughput).toFixed(2)
    ])
  ])
  const last = compared.at(-1)?.name ?? ""
  return { cpuRatio: ratio(last, cpu), throughputRatio: ratio(last, throughput) }
}

/** POST key over SQLite: writes that share a commit against one commit for each write. */
const durable: Part = async (options) => {
  const compared = [
    headgate("one commit a write", inSqlite, { HEADGATE_SQLITE_GROUP: "1" }),
    headgate("grouped commits", inSqlite)
  ]
  const title = `POST key, SQLite, ${connections} connections`
  const { throughputRatio } = await variants(title, compared, () => scenarioNamed("POST key"), options)
  return [{ what: "POST key, SQLite, requests/s, grouped / one a write", atLeast: 4, measured: throughputRatio }]
}

/** A few thousand ids do not fit a small cache; a store of 1,000 pipes has no more. */
const sampledPipes = 20_000

/** Reads of pipes spread over the whole store, over stores of different sizes. */
const growth: Part = async (options) => {
  const paths = new Map<string, Scenario>()
  const compared: Array<Contestant> = []
  for (const count of [1e3, 1e4, 1e5, 1e6]) {
    const name = `${count.toLocaleString("en")} pipes`
    const { flag, ids } = await storeOfPipes(join(options.directory, `growth-${count}`), count, sampledPipes)
    const authorization = authorizationOf(first).management
    paths.set(name, { name, method: "GET", targets: ids.map((id) => ({ path: pipePath(first, id), authorization })) })
    compared.push({ name, start: () => startHeadgate([flag]) })
  }
  const scenarioOf = (name: string) => paths.get(name) ?? scenarioNamed("GET pipe")
  const { cpuRatio } = await variants("GET of one of many pipes, SQLite", compared, scenarioOf, options)
  return [{ what: "point read, CPU, 1,000,000 pipes / 1,000", atMost: 1.2, measured: cpuRatio }]
}

const listings = 20

/** The list of all dashboards of an organization, several times in a row. */
const listing: Part = async ({ directory }) => {
  const rows: Array<ReadonlyArray<string>> = []
  let extra = Number.NaN
  for (const count of [100, 1000, 10_000]) {
    const folder = join(directory, "listing")
    const flag = await storeOfDashboards(folder, count)
    const { pid, stop, url } = await startHeadgate([flag])
    const before = residentMebibytes(pid) ?? Number.NaN
    // Resets the peak that the kernel keeps for the process: what its start needed does not count.
    writeFileSync(`/proc/${pid}/clear_refs`, "5")
    const milliseconds: Array<number> = []
    let bytes = 0
    for (let index = 0; index < listings; index++) {
      const began = performance.now()
      const headers = { authorization: authorizationOf(first).observability }
      bytes = (await (await fetch(new URL(dashboardsPath, url), { headers })).arrayBuffer()).byteLength
      milliseconds.push(performance.now() - began)
    }
    extra = (peakMebibytes(pid) ?? Number.NaN) - before
    const mebibytes = (bytes / 2 ** 20).toFixed(1)
    rows.push([count.toLocaleString("en"), mebibytes, median(milliseconds).toFixed(1), extra.toFixed(0)])
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  show(`GET list of dashboards, SQLite, ${listings} in a row`, [["", "MiB sent", "ms", "extra MiB at most"], ...rows])
  return [{ what: "list of 10,000 dashboards, extra memory, MiB", atMost: 32, measured: extra }]
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
  startup,
  growth,
  listing
}
