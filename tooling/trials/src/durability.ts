// Writes to servers while they are killed or replaced, on SQLite and on Postgres. Nothing that was acknowledged may be lost, no
// creation may be carried out twice, and no write may fail on a server that was not killed.
import { runTrial, type TrialOptions, UsageError } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { say, Verdict } from "@headgate/harness/Verdict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Fault } from "./durability/Fault.ts"
import { Ledger, LossCheck } from "./durability/Ledger.ts"
import { makeOrganizations, repeatCreations, snapshotOf } from "./durability/WriteLoad.ts"
import { kill } from "./durability/kill.ts"
import { killOne } from "./durability/killOne.ts"
import { observeExport, observeServer } from "./durability/observe.ts"
import { restart } from "./durability/restart.ts"
import { runScenario } from "./scenario/runScenario.ts"

const faults: Readonly<Record<string, Fault>> = { kill, "kill one of two": killOne, restart }

interface Trial extends TrialOptions {
  readonly name: string
  readonly verdict: Verdict
  readonly directory: string
}

/** Injects a fault `count` rounds long and returns what came of it. */
const injectFault = (fault: Fault, { directory, name, seed, verdict, ...trial }: Trial) => {
  const injections = trial.count * fault.injectionsPerRound
  const each = fault.organizationsPerInjection
  const random = makeRandom(seed)
  const all = makeOrganizations(random, injections * each)
  const losses = new LossCheck(verdict)
  const total = new Ledger()
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(all))
  const script = trial.server
  const figures = () =>
    `${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ${total.failed.length} failed`
  const options = { name, rounds: injections, verdict, directory, isOverPostgres: fault.isOverPostgres }

  return runScenario(options, async (store) => {
    const run = await fault.start({ script, directory, store, snapshot, seed, random, verdict, losses })
    const { servers } = run
    return {
      servers,
      round: async (number) => {
        const organizations = all.slice((number - 1) * each, number * each)
        const ledger = await run.inject(organizations, number)
        ledger.add(await repeatCreations(servers.url, ledger.repeatable))
        total.add(ledger)
        for (const [index, { url }] of servers.running.entries()) {
          const found = await observeServer(url, organizations, ledger.acknowledged)
          losses.check(ledger, found, organizations, `through server ${index + 1} after ${name} ${number}`)
        }
        return figures()
      },
      end: async () => {
        const counted = await run.end()
        losses.check(total, await observeExport(script, ...store), all, `export after ${name}`)
        total.judge(verdict, name, injections * fault.fewestWrites)
        say(`${name}: acknowledged ${total.summary()}; ${total.unanswered} not answered; ${counted}`)
        return `${name} ${injections} times: ${figures()}, ${total.repeated} creations sent again, ${losses.doubled.size} created twice`
      }
    }
  })
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
    summaries.push(await injectFault(fault, { ...options, name, verdict, directory }))
  }
  verdict.end(summaries.join("; "))
}

await runTrial("durability", { name: "rounds", byDefault: 1 }, trial)
