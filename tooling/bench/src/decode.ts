// `npm run bench:decode`: what it costs to read a parsed pipe, beside other libraries that check the same.
import { contestants } from "./decode/contestants.ts"
import { fullPipe } from "./document/fullPipe.ts"
import { ContestantProcess } from "./measure/ContestantProcess.ts"
import { medianOf, medianRatio } from "./measure/ratios.ts"
import { machine, say, table, targetTable } from "./measure/report.ts"
import { runRounds, verify } from "./measure/rounds.ts"
import { runBenchmark } from "./measure/Usage.ts"
import { versions } from "./measure/versions.ts"

const times = 10_000
const quickTimes = 50

runBenchmark("decode", async ({ isQuick, rounds }) => {
  const processes = contestants.map((contestant) => new ContestantProcess(contestant, []))
  try {
    say(`${machine()}; ${versions(["effect", "zod", "arktype", "typebox", "ajv"])}`)
    await verify(processes, fullPipe)
    say(`all ${processes.length} give the full pipe back (${JSON.stringify(fullPipe).length} bytes)`)

    const batch = { times: isQuick ? quickTimes : times, atOnce: 1 }
    const measured = await runRounds(processes, batch, rounds)
    say(`median of ${rounds} rounds of ${batch.times}; a ratio is the median of the rounds' ratios`)
    say()
    const ratio = (name: string, to: string) => medianRatio(measured, name, to).toFixed(2)
    const lines = table([
      ["", "CPU us", "/ zod, decoded", "/ zod, checked", "/ JSON.parse"],
      ...processes.map(({ name }) => [
        name,
        medianOf(measured, name).toFixed(2),
        ratio(name, "zod 4, decoded"),
        ratio(name, "zod 4, checked"),
        ratio(name, "JSON.parse alone")
      ])
    ])
    for (const line of lines) say(line)
    say()
    const compiled = "headgate, compiled"
    const targets = targetTable([
      {
        what: "compiled, / zod 4 that decodes",
        atMost: 0.5,
        measured: medianRatio(measured, compiled, "zod 4, decoded")
      },
      {
        what: "compiled, / zod 4 that checks",
        atMost: 0.5,
        measured: medianRatio(measured, compiled, "zod 4, checked")
      }
    ])
    for (const line of targets) say(line)
  } finally {
    for (const process of processes) process.stop()
  }
})
