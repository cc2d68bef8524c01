// `npm run bench:decode`: what it costs to read a parsed pipe, beside other libraries that check the same.
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, targetTable } from "@headgate/harness/table"
import { contestants } from "./decode/contestants.ts"
import { fullPipe } from "./document/fullPipe.ts"
import { ContestantProcess } from "./work/ContestantProcess.ts"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const figure = (microseconds: number) => microseconds

await runWorkBenchmark("decode", ["effect", "zod", "arktype", "typebox", "ajv"], async ({ isQuick, rounds }) => {
  const module = new URL("decode/contestants.ts", import.meta.url)
  const processes = Object.keys(contestants).map((name) => new ContestantProcess(name, module))
  for (const contestant of processes) await contestant.verify(fullPipe)
  say(`all ${processes.length} return the full pipe (${JSON.stringify(fullPipe).length} bytes)`)

  const batch = { times: isQuick ? 50 : 10_000, atOnce: 1 }
  for (const contestant of processes) await contestant.warmUp(batch)
  const measured = await runRounds(processes, rounds, (contestant) => contestant.cpuMicroseconds(batch))
  for (const contestant of processes) contestant.stop()
  say(`median of ${rounds} rounds of ${batch.times}; a ratio is the median of the rounds' ratios`)
  const ratio = (name: string, to: string) => medianRatio(measured, name, to, figure)
  const references = ["zod 4, decoded", "zod 4, checked", "JSON.parse alone"]
  say()
  const lines = table([
    ["", "CPU us", "/ zod, decoded", "/ zod, checked", "/ JSON.parse"],
    ...processes.map(({ name }) => [
      name,
      medianOf(measured, name, figure).toFixed(2),
      ...references.map((to) => ratio(name, to).toFixed(2))
    ])
  ])
  for (const line of lines) say(line)
  say()
  const targets = ["zod 4, decoded", "zod 4, checked"].map((to) => ({
    what: `headgate / ${to}`,
    atMost: 0.5,
    measured: ratio("headgate", to)
  }))
  for (const line of targetTable(targets)) say(line)
})
