// `npm run bench:server`: what a request costs headgate-server, beside Fastify.
import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { say } from "@headgate/harness/Verdict"
import { machine, type Target, targetTable, versions } from "@headgate/harness/table"
import { contestants } from "./server/Contestant.ts"
import { connections } from "./server/load.ts"
import { parts } from "./server/parts.ts"
import { verify } from "./server/verify.ts"

const loggingModes: Readonly<Record<string, ReadonlyArray<boolean>>> = {
  off: [false],
  on: [true],
  both: [false, true]
}

const checkAnswers = async (directory: string) => {
  const servers = []
  for (const { name, start } of contestants) servers.push({ ...(await start({ directory, isLogging: false })), name })
  const count = await verify(servers)
  for (const { stop } of servers) await stop()
  say(`${contestants.length} contestants give the same answers to ${count} requests`)
}

await runCommand("bench-server", async (directory) => {
  const flags = readFlags({ rounds: "text", seconds: "text", logging: "text", only: "text", quick: "switch" })
  const logging = loggingModes[String(flags.logging ?? "both")]
  if (logging === undefined) throw new UsageError(`--logging ${flags.logging}: expected off, on or both`)
  const only = flags.only === undefined ? Object.keys(parts) : String(flags.only).split(",")
  const unknown = only.find((name) => parts[name] === undefined)
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: expected some of ${Object.keys(parts).join(",")}`)
  }
  const rounds = countOf("rounds", flags.rounds, flags.quick ? 1 : 7)
  const seconds = countOf("seconds", flags.seconds, flags.quick ? 1 : 4)
  const warmUpSeconds = flags.quick ? 0 : 12
  say(`${machine()}; ${versions(import.meta.filename, ["fastify", "autocannon"])}`)
  say(`autocannon, ${connections} connections kept open, ${rounds} rounds of ${seconds} s, medians of the rounds`)
  await checkAnswers(directory)
  const targets: Array<Target> = []
  for (const name of only)
    targets.push(...((await parts[name]?.({ directory, logging, rounds, seconds, warmUpSeconds })) ?? []))
  say()
  for (const line of targetTable(targets)) say(line)
})
