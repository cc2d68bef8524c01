// `npm run bench:cli`: what it costs to run the command line from start to end, beside Node and a script that calls fetch.
import { cliScript as headgate } from "@headgate/harness/ServerProcess"
import { say } from "@headgate/harness/Verdict"
import { cpuOfEndedChildren } from "@headgate/harness/processUsage"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, targetTable } from "@headgate/harness/table"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { startRawServer } from "./client/RawServer.ts"
import { authorization, organization, pathOf, pipeIds } from "./client/served.ts"
import { fullPipe } from "@headgate/samples"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const node = "node -e 0"
const bareFetch = "fetch, print JSON"
const pipeName = String(fullPipe.name)
const pipeGet = "headgate pipe get"

// CPU time is counted in steps of 10 ms: it is measured over several processes.
const processesOfRound = 4

interface Program {
  readonly name: string
  readonly args: ReadonlyArray<string>
  /** What its output holds. */
  readonly prints: string
}

await runWorkBenchmark("cli", ["effect"], async ({ isQuick, rounds }) => {
  const server = await startRawServer()
  const fetchScript = `
    const response = await fetch("${server.url}${pathOf(pipeIds.full)}", { headers: { authorization: "${authorization}" } })
    if (!response.ok) throw new Error(await response.text())
    console.log(JSON.stringify((await response.json()).result, null, 2))`
  const programs: ReadonlyArray<Program> = [
    { name: node, args: ["-e", "0"], prints: "" },
    { name: "headgate --version", args: [headgate, "--version"], prints: "headgate " },
    { name: "headgate --help", args: [headgate, "--help"], prints: "EXIT CODES" },
    { name: "headgate key create --help", args: [headgate, "key", "create", "--help"], prints: "--expires" },
    { name: bareFetch, args: ["--input-type=module", "-e", fetchScript], prints: pipeName },
    { name: pipeGet, args: [headgate, "pipe", "get", pipeIds.full], prints: pipeName },
    { name: `${pipeGet} --json`, args: [headgate, "pipe", "get", pipeIds.full, "--json"], prints: pipeName }
  ]
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    HEADGATE_URL: server.url,
    HEADGATE_ORGANIZATION: organization.id,
    HEADGATE_SERVICE: organization.serviceId,
    HEADGATE_KEY_ID: organization.keyId,
    HEADGATE_KEY_SECRET: organization.keySecret
  }
  const run = ({ args }: Program) => promisify(execFile)(process.execPath, args, { env })

  // The first run of a program also fills Node's cache of compiled code.
  for (const program of programs) {
    const { stdout } = await run(program)
    if (!stdout.includes(program.prints)) throw new Error(`${program.name} prints no ${program.prints}: ${stdout}`)
  }
  const count = isQuick ? 1 : processesOfRound
  const measured = await runRounds(programs, rounds, async (program) => {
    const before = cpuOfEndedChildren()
    for (let index = 0; index < count; index++) await run(program)
    return (cpuOfEndedChildren() - before) / count / 1000
  })
  server.stop()

  const ratio = (name: string, to: string) => medianRatio(measured, name, to, (milliseconds) => milliseconds)
  const lines = table([
    [`a whole process, ${rounds} rounds of ${count}`, "CPU ms", `/ ${node}`, `/ fetch`],
    ...programs.map(({ name }) => [
      name,
      medianOf(measured, name, (milliseconds) => milliseconds).toFixed(1),
      ...[node, bareFetch].map((to) => ratio(name, to).toFixed(2))
    ])
  ])
  say()
  for (const line of lines) say(line)
  const targets = [
    ...["headgate --version", "headgate --help", "headgate key create --help"].map((name) => ({
      what: `${name} / ${node}`,
      atMost: 2,
      measured: ratio(name, node)
    })),
    ...[pipeGet, `${pipeGet} --json`].map((name) => ({
      what: `${name} / ${bareFetch}`,
      atMost: 1.5,
      measured: ratio(name, bareFetch)
    }))
  ]
  say()
  for (const line of targetTable(targets)) say(line)
})
