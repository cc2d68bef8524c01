// `npm run bench:client`: what it costs a process to read a pipe over HTTP, beside other clients.
import { contestants } from "./client/contestants.ts"
import { RawServer } from "./client/RawServer.ts"
import { fullPipe } from "./document/fullPipe.ts"
import { ContestantProcess } from "./measure/ContestantProcess.ts"
import { medianOf, medianRatio } from "./measure/ratios.ts"
import { machine, say, table, type Target, targetTable } from "./measure/report.ts"
import { runRounds, verify } from "./measure/rounds.ts"
import { runBenchmark } from "./measure/Usage.ts"
import { versions } from "./measure/versions.ts"

const scenarios = [
  { name: "64 at once", times: 3000, atOnce: 64 },
  { name: "one after the other", times: 1000, atOnce: 1 }
]
const quickTimes = 64

/** That a batch is as many requests as it says: nobody answers from memory. */
const verifyCount = async (server: RawServer, contestant: ContestantProcess) => {
  const before = await server.served()
  await contestant.cpuMicroseconds({ times: 20, atOnce: 4 })
  const served = (await server.served()) - before
  if (served !== 20) throw new Error(`${contestant.name} sent ${served} requests for 20 calls`)
}

const ours = ["headgate on undici", "headgate on fetch"]
const bounds = [
  { to: "openapi-fetch + zod 4", atMost: 0.8 },
  { to: "fetch + JSON.parse", atMost: 1 }
]

runBenchmark("client", async ({ isQuick, rounds }) => {
  const server = await RawServer.start()
  const processes = contestants.map((contestant) => new ContestantProcess(contestant, [server.url]))
  try {
    say(`${machine()}; ${versions(["effect", "undici", "openapi-fetch", "zod"])}; fetch is Node's`)
    await verify(processes, fullPipe)
    for (const contestant of processes) await verifyCount(server, contestant)
    say(`all ${processes.length} give the full pipe back (${JSON.stringify(fullPipe).length} bytes), a request each`)

    const targets: Array<Target> = []
    for (const { name: scenario, atOnce, times } of scenarios) {
      const batch = { times: isQuick ? quickTimes : times, atOnce }
      const measured = await runRounds(processes, batch, rounds)
      const ratio = (name: string, to: string) => medianRatio(measured, name, to)
      say()
      const lines = table([
        [`${scenario}, ${rounds} rounds of ${batch.times}`, "CPU us", "/ openapi-fetch", "/ fetch", "/ undici"],
        ...processes.map(({ name }) => [
          name,
          medianOf(measured, name).toFixed(1),
          ratio(name, "openapi-fetch + zod 4").toFixed(2),
          ratio(name, "fetch + JSON.parse").toFixed(2),
          ratio(name, "undici + JSON.parse").toFixed(2)
        ])
      ])
      for (const line of lines) say(line)
      for (const name of ours) {
        for (const { atMost, to } of bounds) {
          targets.push({ what: `${scenario}: ${name} / ${to}`, atMost, measured: ratio(name, to) })
        }
      }
    }
    say()
    for (const line of targetTable(targets)) say(line)
  } finally {
    for (const process of processes) process.stop()
    server.stop()
  }
})
