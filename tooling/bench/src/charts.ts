// `npm run bench:charts`: what a chart costs beside its bare SQL on the same engine, the largest groups beside all of them, and what heavy
// queries take from a pipe beside them.
import { kafkaMissing } from "@headgate/harness/KafkaBroker"
import { say } from "@headgate/harness/Verdict"
import { targetTable } from "@headgate/harness/table"
import { engineMissing } from "../../../packages/mover-clickhouse/test/support/engine.ts"
import { measureCharts } from "./charts/measureCharts.ts"
import { measurePipe } from "./charts/measurePipe.ts"
import { runWorkBenchmark } from "./runWorkBenchmark.ts"

await runWorkBenchmark("charts", ["@platformatic/kafka"], async ({ directory, rounds, size }) => {
  const missing = engineMissing() ?? kafkaMissing()
  if (missing !== undefined) throw new Error(missing)
  const targets = [
    ...(await measureCharts(directory, rounds, Math.round(1_000_000 * size))),
    ...(await measurePipe(directory, Math.min(rounds, 3), Math.round(500_000 * size)))
  ]
  say()
  for (const line of targetTable(targets)) say(line)
  process.exit()
})
