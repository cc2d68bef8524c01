// `npm run bench:cli`: what it costs to run the command line from start to end, beside Node and a script that calls fetch.
import { cliScript as headgate } from "@headgate/harness/ServerProcess"
import { say } from "@headgate/harness/Verdict"
import { cpuOfEndedChildren } from "@headgate/harness/processUsage"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, targetTable } from "@headgate/harness/table"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { makeRandom } from "@headgate/harness/Random"
import { serveLocally } from "@headgate/harness/ReverseProxy"
import { authorizationOf, makeOrganization, pipePath } from "@headgate/harness/Snapshot"
import { fullPipe } from "@headgate/samples"
import { runWorkBenchmark } from "./runWorkBenchmark.ts"

const node = "node -e 0"
const bareFetch = "fetch, print JSON"
const pipeId = "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"
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

const organization = makeOrganization(makeRandom(1))
const { management: authorization } = authorizationOf(organization)
const path = pipePath(organization, pipeId)

/** Serves one pipe, from a string made beforehand. This process is not measured. */
const servePipe = () => {
  const requestId = "7c0b2f4a-95d1-4f0e-8f43-2f6f0c1d9e10"
  const body = JSON.stringify({ status: 200, requestId, result: fullPipe })
  return serveLocally((request, response) => {
    const isRight = request.url === path && request.headers.authorization === authorization
    response.writeHead(isRight ? 200 : 404, { "content-type": "application/json", "x-request-id": requestId }).end(body)
  })
}

await runWorkBenchmark("cli", ["effect"], async ({ isQuick, rounds }) => {
  const server = await servePipe()
  const fetchScript = `
    const response = await fetch("${server.url}${path}", { headers: { authorization: "${authorization}" } })
    if (!response.ok) throw new Error(await response.text())
    console.log(JSON.stringify((await response.json()).result, null, 2))`
  const programs: ReadonlyArray<Program> = [
    { name: node, args: ["-e", "0"], prints: "" },
    { name: "headgate --version", args: [headgate, "--version"], prints: "headgate " },
    { name: "headgate --help", args: [headgate, "--help"], prints: "EXIT CODES" },
    { name: "headgate key create --help", args: [headgate, "key", "create", "--help"], prints: "--expires" },
    { name: bareFetch, args: ["--input-type=module", "-e", fetchScript], prints: pipeName },
    { name: pipeGet, args: [headgate, "pipe", "get", pipeId], prints: pipeName },
    { name: `${pipeGet} --json`, args: [headgate, "pipe", "get", pipeId, "--json"], prints: pipeName }
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
  await server.close()

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
    { what: `${pipeGet} / ${node}`, atMost: 4.8, measured: ratio(pipeGet, node) },
    ...[pipeGet, `${pipeGet} --json`].map((name) => ({
      what: `${name} / ${bareFetch}`,
      atMost: 1.5,
      measured: ratio(name, bareFetch)
    }))
  ]
  say()
  for (const line of targetTable(targets)) say(line)
})
