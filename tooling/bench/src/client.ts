// `npm run bench:client`: what it costs a process to read a pipe over HTTP, beside other clients.
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, type Target, targetTable } from "@headgate/harness/table"
import { type RawServer, startRawServer } from "./client/RawServer.ts"
import { contestants } from "./client/contestants.ts"
import { fullPipe } from "@headgate/samples"
import { ContestantProcess } from "./work/ContestantProcess.ts"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const loads = [
  { name: "64 at once", times: 3000, atOnce: 64 },
  { name: "one after the other", times: 1000, atOnce: 1 }
]
const quickTimes = 64

/** Checks that a batch is as many requests as it says: no contestant answers from memory. */
const verifyCount = async (server: RawServer, contestant: ContestantProcess) => {
  const before = await server.served()
  await contestant.cpuMicroseconds({ times: 20, atOnce: 4 })
  const served = (await server.served()) - before
  if (served !== 20) throw new Error(`${contestant.name} sent ${served} requests for 20 calls`)
}

const references = ["fetch + JSON.parse", "undici + JSON.parse"]

await runWorkBenchmark("client", ["effect", "undici"], async ({ isQuick, rounds }) => {
  const server = await startRawServer()
  const module = new URL("client/contestants.ts", import.meta.url)
  const processes = Object.keys(contestants).map((name) => new ContestantProcess(name, module, [server.url]))
  for (const contestant of processes) {
    await contestant.verify(fullPipe)
    await verifyCount(server, contestant)
  }
  say(
    `all ${processes.length} return the full pipe (${JSON.stringify(fullPipe).length} bytes), one request a call; ` +
      "fetch is that of Node"
  )

  const targets: Array<Target> = []
  for (const { atOnce, name: load, times } of loads) {
    const batch = { times: isQuick ? quickTimes : times, atOnce }
    for (const contestant of processes) await contestant.warmUp(batch)
    const measured = await runRounds(processes, rounds, (contestant) => contestant.cpuMicroseconds(batch))
    const ratio = (name: string, to: string) => medianRatio(measured, name, to, (microseconds) => microseconds)
    say()
    const lines = table([
      [`${load}, ${rounds} rounds of ${batch.times}`, "CPU us", "/ fetch", "/ undici"],
      ...processes.map(({ name }) => [
        name,
        medianOf(measured, name, (microseconds) => microseconds).toFixed(1),
        ...references.map((to) => ratio(name, to).toFixed(2))
      ])
    ])
    for (const line of lines) say(line)
    for (const { name } of processes.filter((contestant) => contestant.name.startsWith("headgate"))) {
      const [to = ""] = references
      targets.push({ what: `${load}: ${name} / ${to}`, atMost: 1, measured: ratio(name, to) })
    }
  }
  server.stop()
  for (const contestant of processes) contestant.stop()
  say()
  for (const line of targetTable(targets)) say(line)
})
