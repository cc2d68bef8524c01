// `npm run bench:ledger -- --before CHECKOUT`: how many ranges a second a process writes to the ledger in Postgres, beside an earlier build.
import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { say } from "@headgate/harness/Verdict"
import { machine } from "@headgate/harness/table"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { benchLedger } from "./ledger/benchLedger.ts"

await runCommand("bench-ledger", async () => {
  const { before, rounds, seconds } = readFlags({ before: "text", rounds: "text", seconds: "text" })
  if (before === true) throw new UsageError("--before: expected a folder")
  say(machine())
  await Effect.runPromise(
    benchLedger(
      countOf("rounds", rounds, 5),
      countOf("seconds", seconds, 4),
      typeof before === "string" ? resolve(before) : undefined
    )
  )
})
