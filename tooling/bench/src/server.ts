// `npm run bench:server`: what a request costs headgate-server, beside raw node:http, Fastify and Hono.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { contestants, headgateScript } from "./server/Contestant.ts"
import { chooseLoad } from "./server/load/Load.ts"
import { describeMachine } from "./server/machine.ts"
import { summarize } from "./server/ratios.ts"
import { table, targets } from "./server/report.ts"
import { runRounds, startContestant } from "./server/rounds.ts"
import { scenarios } from "./server/Scenario.ts"
import { type BenchOptions, readUsage, WrongUsage } from "./server/Usage.ts"
import { verify } from "./server/verify.ts"

const say = (line = "") => process.stdout.write(`${line}\n`)

/** Flags that a server older than they are does not have are not used. */
const knowsFlag = (flag: string): boolean =>
  execFileSync(process.execPath, [headgateScript, "--help"], { encoding: "utf8" }).includes(flag)

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

const compare = async (directory: string, options: BenchOptions) => {
  const { load, name } = chooseLoad(directory)
  const { connections, rounds, seconds } = options
  say(`${name}, ${connections} connections kept open, ${rounds} rounds of ${seconds} s, medians`)
  const reached: Array<string> = []
  for (const logging of options.logging) {
    if (logging && !knowsFlag("--access-log")) {
      say("\nthis headgate-server has no --access-log: not measured with logging on")
      continue
    }
    for (const scenario of scenarios.filter((one) => options.only.includes(partOf(one.name)))) {
      say(`\n${scenario.name}, ${logging ? "one JSON line a request" : "no access log"}`)
      const measured = await runRounds(scenario, contestants, {
        directory,
        load,
        logging,
        rounds,
        seconds,
        connections
      })
      const summaries = summarize(measured)
      for (const line of table(summaries)) say(line)
      if (!logging) reached.push(...targets(scenario, summaries))
    }
  }
  return reached
}

const partOf = (name: string): string => name.toLowerCase().replaceAll(" ", "-")

const parts = scenarios.map(({ name }) => partOf(name))

const main = async () => {
  const directory = mkdtempSync(join(tmpdir(), "headgate-bench-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  const options = readUsage(process.argv.slice(2), parts)
  say(describeMachine())
  await checkAnswers(directory)
  const reached = await compare(directory, options)
  say()
  for (const line of reached) say(line)
}

main().catch((error: unknown) => {
  const isUsage = error instanceof WrongUsage
  process.stderr.write(
    `bench server: ${isUsage ? error.message : error instanceof Error ? error.stack : String(error)}\n`
  )
  // At once: servers that are still running end with this process.
  process.exit(isUsage ? 2 : 1)
})
