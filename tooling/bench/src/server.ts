// `npm run bench:server`: what a request costs headgate-server, beside raw node:http, Fastify and Hono.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { contestants } from "./server/Contestant.ts"
import { measureGrowth, measureListing } from "./server/growth.ts"
import { chooseLoad } from "./server/load/Load.ts"
import { describeMachine } from "./server/machine.ts"
import { barPlot, type Plot } from "./server/plot.ts"
import { summarize, type Summary } from "./server/ratios.ts"
import { table, target, targetAtLeast, targets } from "./server/report.ts"
import { runRounds, startContestant } from "./server/rounds.ts"
import { type Scenario, scenarios } from "./server/Scenario.ts"
import { measureStartup } from "./server/startup.ts"
import { type BenchOptions, readUsage, WrongUsage } from "./server/Usage.ts"
import { verify } from "./server/verify.ts"
import { measureWorkers } from "./server/workers.ts"

const say = (line = "") => process.stdout.write(`${line}\n`)

const checkAnswers = async (directory: string) => {
  const servers = []
  for (const contestant of contestants) {
    const running = await startContestant(contestant, { directory, logging: false })
    servers.push({ ...running, name: contestant.name })
  }
  const count = await verify(servers)
  for (const server of servers) await server.stop()
  say(`${contestants.length} contestants give the same answers to ${count} questions`)
}

/** What a part came to: a line for each target, and what there is to draw. */
interface Outcome {
  readonly reached: ReadonlyArray<string>
  readonly plots: Readonly<Record<string, Plot>>
}

const nothing: Outcome = { reached: [], plots: {} }

const partOf = ({ name }: Scenario): string => name.toLowerCase().replaceAll(" ", "-")

const comparisonPlot = (scenario: Scenario, summaries: ReadonlyArray<Summary>): Plot => ({
  title: `${scenario.name}: CPU time of a request, as a multiple of Fastify's`,
  subtitle: "no access log, 64 connections kept open; less is better",
  values: summaries.map(({ cpuPerRequest, cpuTo, name }) => ({
    label: name,
    value: cpuTo.fastify,
    note: `x ${cpuTo.fastify.toFixed(2)} (${cpuPerRequest.toFixed(0)} us)`,
    ours: name.startsWith("headgate")
  })),
  target: { value: scenario.atMost.fastify, label: `target x ${scenario.atMost.fastify.toFixed(2)}` }
})

const compared =
  (scenario: Scenario) =>
  async (directory: string, { connections, logging, rounds, seconds }: BenchOptions): Promise<Outcome> => {
    const { load } = chooseLoad(directory)
    let outcome = nothing
    for (const isLogging of logging) {
      say(`\n${scenario.name}, ${isLogging ? "one JSON line a request" : "no access log"}`)
      const summaries = summarize(
        await runRounds(scenario, contestants, { directory, load, logging: isLogging, rounds, seconds, connections })
      )
      for (const line of table(summaries)) say(line)
      if (!isLogging) {
        outcome = {
          reached: targets(scenario, summaries),
          plots: { [partOf(scenario)]: comparisonPlot(scenario, summaries) }
        }
      }
    }
    return outcome
  }

const startTimes = 20

const startup = async (directory: string): Promise<Outcome> => {
  const { memory, node, sqliteAgain, sqliteFresh } = await measureStartup(directory, startTimes)
  const line = (what: string, milliseconds: number) =>
    say(`  ${what.padEnd(34)}${milliseconds.toFixed(0).padStart(6)} ms`)
  say(`\nFrom the start until it listens, median of ${startTimes}, in turn`)
  line("node -e 0, start to end", node)
  line("headgate-server --memory", memory)
  line("headgate-server, a new database", sqliteFresh)
  line("headgate-server, the same again", sqliteAgain)
  return {
    reached: [target("start of headgate-server --memory", memory, 150, " ms")],
    plots: {
      startup: {
        title: "From the start until it listens",
        subtitle: `milliseconds, median of ${startTimes} starts in turn; less is better`,
        values: [
          { label: "node -e 0", value: node, note: `${node.toFixed(0)} ms` },
          { label: "--memory", value: memory, note: `${memory.toFixed(0)} ms`, ours: true },
          { label: "new database", value: sqliteFresh, note: `${sqliteFresh.toFixed(0)} ms`, ours: true },
          { label: "same database", value: sqliteAgain, note: `${sqliteAgain.toFixed(0)} ms`, ours: true }
        ],
        target: { value: 150, label: "target 150 ms" }
      }
    }
  }
}

const growth = async (directory: string, { rounds, seconds }: BenchOptions): Promise<Outcome> => {
  const { load } = chooseLoad(directory)
  const measured = await measureGrowth(directory, [1e3, 1e4, 1e5, 1e6], { load, rounds, seconds })
  say("\nGET of one of many pipes, SQLite, CPU time of the server")
  for (const { cpuPerRequest, pipes, toSmallest } of measured) {
    say(`  ${String(pipes).padStart(8)} pipes${cpuPerRequest.toFixed(1).padStart(9)} us  x ${toSmallest.toFixed(2)}`)
  }
  const largest = measured.at(-1)
  return {
    reached: [target("point read, 1,000,000 pipes / 1,000", largest?.toSmallest ?? NaN, 1.3)],
    plots: {
      growth: {
        title: "Reading one pipe as the store grows",
        subtitle: "CPU time of a request, SQLite, as a multiple of a store of 1,000 pipes; less is better",
        values: measured.map(({ cpuPerRequest, pipes, toSmallest }) => ({
          label: `${pipes.toLocaleString("en")} pipes`,
          value: toSmallest,
          note: `x ${toSmallest.toFixed(2)} (${cpuPerRequest.toFixed(0)} us)`,
          ours: true
        })),
        target: { value: 1.3, label: "target x 1.30" }
      }
    }
  }
}

const listing = async (directory: string): Promise<Outcome> => {
  const measured = []
  for (const dashboards of [100, 1000, 10_000]) measured.push(await measureListing(directory, dashboards, 20))
  say("\nGET of the list of all dashboards, SQLite, 20 times in a row")
  for (const { dashboards, heldMebibytes, mebibytes, milliseconds } of measured) {
    say(
      `  ${String(dashboards).padStart(6)} dashboards, ${mebibytes.toFixed(1)} MiB: ${milliseconds.toFixed(1)} ms, ` +
        `at most ${heldMebibytes.toFixed(0)} MiB more memory than before`
    )
  }
  return {
    reached: [],
    plots: {
      listing: {
        title: "Listing many dashboards",
        subtitle: "memory that the server held at most over 20 lists in a row, beyond what it began with, in MiB",
        values: measured.map(({ dashboards, heldMebibytes, mebibytes, milliseconds }) => ({
          label: `${dashboards.toLocaleString("en")} dashboards`,
          value: heldMebibytes,
          note: `${heldMebibytes.toFixed(0)} MiB (${mebibytes.toFixed(1)} MiB sent in ${milliseconds.toFixed(0)} ms)`,
          ours: true
        }))
      }
    }
  }
}

const workers = async (directory: string, { rounds, seconds }: BenchOptions): Promise<Outcome> => {
  const { load } = chooseLoad(directory)
  const { cpuRatio, one, ratio, two } = await measureWorkers(directory, { load, rounds, seconds })
  say("\nGET pipe, SQLite, by one worker and by two; the load takes of the same cores")
  for (const [name, { cores, cpuPerRequest, requestsPerSecond }] of [
    ["1 worker", one],
    ["2 workers", two]
  ] as const) {
    const answered = `${requestsPerSecond.toFixed(0).padStart(8)} requests/s${cpuPerRequest.toFixed(1).padStart(9)} us`
    say(`  ${name.padEnd(10)}${answered} CPU a request, on ${cores.toFixed(2)} cores`)
  }
  say(`  x ${ratio.toFixed(2)} requests a second, x ${cpuRatio.toFixed(2)} CPU time a request`)
  return { reached: [targetAtLeast("throughput of 2 workers / 1", ratio, 1.7)], plots: {} }
}

const parts: Readonly<Record<string, (directory: string, options: BenchOptions) => Promise<Outcome>>> = {
  ...Object.fromEntries(scenarios.map((scenario) => [partOf(scenario), compared(scenario)])),
  startup,
  growth,
  listing,
  workers
}

const docs = fileURLToPath(new URL("../../../docs", import.meta.url))

const main = async () => {
  const directory = mkdtempSync(join(tmpdir(), "headgate-bench-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  const options = readUsage(process.argv.slice(2), Object.keys(parts))
  say(describeMachine())
  say(`load average ${loadavg()[0]?.toFixed(1)} before it began, ${chooseLoad(directory).name}, medians of rounds`)
  await checkAnswers(directory)
  const outcomes = []
  for (const [name, part] of Object.entries(parts)) {
    if (options.only.includes(name)) outcomes.push(await part(directory, options))
  }
  say()
  for (const line of outcomes.flatMap(({ reached }) => reached)) say(line)
  if (!options.plots) return
  for (const [name, plot] of outcomes.flatMap(({ plots }) => Object.entries(plots))) {
    writeFileSync(join(docs, `performance-${name}.svg`), barPlot(plot))
  }
}

main().catch((error: unknown) => {
  const isUsage = error instanceof WrongUsage
  process.stderr.write(
    `bench server: ${isUsage ? error.message : error instanceof Error ? error.stack : String(error)}\n`
  )
  // At once: servers that are still running end with this process.
  process.exit(isUsage ? 2 : 1)
})
