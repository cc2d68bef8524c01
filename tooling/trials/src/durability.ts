// Writes to servers while they are killed or replaced, on SQLite and on Postgres. Nothing that was acknowledged may be lost, no
// creation may be carried out twice, and no write may fail on a server that was not killed.
import { runTrial, type TrialOptions, UsageError } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { say, Verdict } from "@headgate/harness/Verdict"
import { withPostgres } from "@headgate/harness/withPostgres"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Fault } from "./durability/Fault.ts"
import { Ledger, LossCheck } from "./durability/Ledger.ts"
import { makeOrganizations, repeatCreations, snapshotOf } from "./durability/WriteLoad.ts"
import { kill } from "./durability/kill.ts"
import { killOne } from "./durability/killOne.ts"
import { observeExport, observeServer } from "./durability/observe.ts"
import { restart } from "./durability/restart.ts"

const faults: Readonly<Record<string, Fault>> = { kill, "kill one of two": killOne, restart }

interface Trial extends TrialOptions {
  readonly name: string
  readonly verdict: Verdict
  readonly directory: string
  readonly store: ReadonlyArray<string>
}

/** Injects a fault `count` rounds long and returns what came of it. */
const injectFault = async (fault: Fault, { directory, name, seed, store, verdict, ...trial }: Trial) => {
  const injections = trial.count * fault.injectionsPerRound
  const each = fault.organizationsPerInjection
  const random = makeRandom(seed)
  const all = makeOrganizations(random, injections * each)
  const losses = new LossCheck(verdict)
  const total = new Ledger()
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(all))
  const script = trial.server
  const run = await fault.start({ script, directory, store, snapshot, seed, random, verdict, losses })

  for (let number = 1; number <= injections; number++) {
    const organizations = all.slice((number - 1) * each, number * each)
    const { ledger, servers } = await run.inject(organizations, number)
    ledger.add(await repeatCreations(servers[0].url, ledger.repeatable))
    total.add(ledger)
    for (const [index, { url }] of servers.entries()) {
      const found = await observeServer(url, organizations, ledger.acknowledged)
      losses.check(ledger, found, organizations, `through server ${index + 1} after ${name} ${number}`)
    }
    say(
      `${name} ${number} of ${injections}: ${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ` +
        `${total.failed.length} failed`
    )
  }

  const codes = await run.end()
  verdict.hold(
    codes.every((code) => code === 0),
    `${name}: the servers exited with ${codes.join(", ")} after SIGTERM`
  )
  losses.check(total, await observeExport(script, ...store), all, `export after ${name}`)
  total.judge(verdict, name, injections * fault.fewestWrites)
  say(`${name}: acknowledged ${total.summary()}; ${total.unanswered} not answered; ${run.summary()}`)
  return (
    `${name} ${injections} times: ${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ` +
    `${total.failed.length} failed, ${total.repeated} creations sent again, ${losses.doubled.size} created twice`
  )
}

const trial = async (options: TrialOptions, root: string) => {
  const { only } = options
  const chosen = Object.entries(faults).filter(([name]) => only === undefined || new RegExp(only).test(name))
  if (chosen.length === 0) throw new UsageError(`--only ${only}: expected one of ${Object.keys(faults).join(", ")}`)
  const verdict = new Verdict("durability")
  const summaries: Array<string> = []
  for (const [name, fault] of chosen) {
    const directory = join(root, name)
    mkdirSync(directory)
    const on = (...store: ReadonlyArray<string>) => injectFault(fault, { ...options, name, verdict, directory, store })
    summaries.push(
      await (fault.wantsPostgres
        ? withPostgres((url) => on("--database-url", url))
        : on("--data", join(directory, "data")))
    )
  }
  verdict.end(summaries.join("; "))
}

await runTrial("durability", { name: "rounds", byDefault: 1 }, trial)
