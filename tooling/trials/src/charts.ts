// Charts of a real server over a real engine: the answers of the real service, hostile texts, tables of others, queries that are cancelled,
// that are too heavy, and that come at once, and tables whose rows have versions.
import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { serverScript } from "@headgate/harness/ServerProcess"
import { say, Verdict } from "@headgate/harness/Verdict"
import { randomInt } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { engineMissing } from "../../../packages/mover-clickhouse/test/support/engine.ts"
import { limits } from "./charts/limits.ts"
import type { Part, PartOptions } from "./charts/Part.ts"
import { cancel } from "./charts/cancel.ts"
import { hostile } from "./charts/hostile.ts"
import { tables } from "./charts/tables.ts"
import { upstream } from "./charts/upstream.ts"
import { versions } from "./charts/versions.ts"
import { watchDashboard } from "./charts/viewers.ts"

/** The parts, and how many rounds show what a broken server does wrong. */
const parts: Readonly<Record<string, { readonly run: Part; readonly rounds: number }>> = {
  upstream: { run: upstream, rounds: 1 },
  hostile: { run: hostile, rounds: 1 },
  tables: { run: tables, rounds: 1 },
  cancel: { run: cancel, rounds: 1 },
  limits: { run: limits, rounds: 1 },
  versions: { run: versions, rounds: 2 }
}

/** The sessions that a key may have. */
const mostViewers = 20

await runCommand("charts", async (directory) => {
  const flags = readFlags({
    only: "text",
    rounds: "text",
    seed: "text",
    server: "text",
    viewers: "text",
    minutes: "text"
  })
  const script = String(flags.server ?? serverScript)
  const seed = countOf("seed", flags.seed, randomInt(1, 1_000_000))
  const only = flags.only === undefined ? undefined : String(flags.only)
  const viewing = {
    viewers: countOf("viewers", flags.viewers, mostViewers),
    minutes: countOf("minutes", flags.minutes, 10)
  }
  if (viewing.viewers > mostViewers)
    throw new UsageError(`--viewers ${viewing.viewers}: a key has ${mostViewers} sessions`)
  const viewers = { run: (options: PartOptions) => watchDashboard(options, viewing), rounds: 1 }
  const chosen =
    flags.viewers === undefined
      ? Object.entries(parts).filter(([name]) => only === undefined || only === name)
      : [["viewers", viewers] as const]
  if (chosen.length === 0) throw new UsageError(`--only ${only}: expected one of ${Object.keys(parts).join(", ")}`)
  say(`charts: seed ${seed} (repeat with --seed ${seed}), server ${script}`)
  const missing = engineMissing()
  if (missing !== undefined) {
    if (process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
    say(`charts: 1 skipped: ${missing}`)
    return
  }
  const verdict = new Verdict("charts")
  for (const [name, { rounds, run }] of chosen) {
    const own = join(directory, name)
    mkdirSync(own)
    const options = {
      directory: own,
      random: makeRandom(seed),
      script,
      verdict,
      rounds: countOf("rounds", flags.rounds, rounds)
    }
    say(`${name}: ${await run(options)}`)
  }
  verdict.end(`${chosen.length} parts, ${verdict.count} faults`)
  process.exit()
})
