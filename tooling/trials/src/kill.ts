// Kills a server on one SQLite database again and again while it is written to. Nothing that it acknowledged may be lost.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { startServer } from "@headgate/harness/ServerProcess"
import { say, Verdict } from "@headgate/harness/Verdict"
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { Ledger, LossCheck } from "./durability/Ledger.ts"
import { makeOrganizations, repeatCreations, snapshotOf, WriteLoad } from "./durability/WriteLoad.ts"
import { observeExport, observeServer } from "./durability/observe.ts"

const writers = 16
// Each round writes to organizations of its own: lists stay short, and no organization reaches its limit of 100 keys.
const organizationsPerRound = 4
const roundsBetweenChecks = 10
// How long a load runs before the kill, in milliseconds.
const shortestLoad = 20
const longestLoad = 700
const fewestWritesPerRound = 10

/** The answer of `PRAGMA integrity_check` for a data directory that no server has open; `ok` if it is whole. */
const integrityOf = (data: string): string => {
  const file = join(data, "headgate.sqlite")
  if (!existsSync(file)) return `${file} does not exist`
  const database = new DatabaseSync(file)
  const rows = database.prepare("PRAGMA integrity_check").all()
  database.close()
  return rows.map((row) => String(row["integrity_check"])).join("; ")
}

const trial = async ({ count: rounds, seed, server: script }: TrialOptions, directory: string) => {
  const random = makeRandom(seed)
  const all = makeOrganizations(random, rounds * organizationsPerRound)
  const verdict = new Verdict("kill")
  const losses = new LossCheck(verdict)
  const total = new Ledger()
  const data = join(directory, "data")
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(all))
  let inFlight = 0
  let roundsInFlight = 0
  let checks = 0
  let checksOk = 0

  const checkIntegrity = (path: string, when: string) => {
    const answer = integrityOf(path)
    checks++
    if (answer === "ok") checksOk++
    verdict.hold(answer === "ok", `PRAGMA integrity_check ${when}: ${answer}`)
  }
  /** Looks into a copy, write-ahead log included, so that the next server still has to do the recovery itself. */
  const checkCopy = async (round: number) => {
    const copy = join(directory, `copy-${round}`)
    cpSync(data, copy, { recursive: true })
    checkIntegrity(copy, `after the kill of round ${round}`)
    losses.check(total, await observeExport(script, "--data", copy), all, `export after the kill of round ${round}`)
    rmSync(copy, { recursive: true })
  }

  let server = await startServer(script, "--data", data, "--import", snapshot)
  for (let round = 1; round <= rounds; round++) {
    const organizations = all.slice((round - 1) * organizationsPerRound, round * organizationsPerRound)
    // A load draws as many numbers as it is fast: with a generator of its own it does not shift the moments of later kills.
    const load = new WriteLoad({ url: server.url, organizations, random: makeRandom(seed + round), writers })
    await sleep(random.between(shortestLoad, longestLoad))
    const inFlightNow = load.serverIsKilled()
    await server.kill()
    const ledger = await load.stop()
    total.add(ledger)
    inFlight += inFlightNow
    roundsInFlight += inFlightNow > 0 ? 1 : 0
    if (round % roundsBetweenChecks === 0) await checkCopy(round)
    server = await startServer(script, "--data", data)
    const repeats = await repeatCreations(server.url, ledger.repeatable)
    ledger.add(repeats)
    total.add(repeats)
    const found = await observeServer(server.url, organizations, ledger.acknowledged)
    losses.check(ledger, found, organizations, `over HTTP after round ${round}`)
    if (round % roundsBetweenChecks === 0 || round === rounds) {
      say(
        `round ${round} of ${rounds}: ${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ` +
          `${inFlight} in flight at a kill, ${checksOk} of ${checks} integrity checks ok`
      )
    }
  }
  const { code } = await server.stop()
  verdict.hold(code === 0, `the last server exited with ${code} after SIGTERM`)
  checkIntegrity(data, "on the closed database")
  losses.check(total, await observeExport(script, "--data", data), all, "export at the end")

  total.judge(verdict, rounds * fewestWritesPerRound)
  verdict.hold(roundsInFlight * 2 >= rounds, `only ${roundsInFlight} of ${rounds} kills met requests in flight`)
  say(
    `acknowledged: ${total.summary()}; ${inFlight} in flight at a kill, ${total.unanswered} of them not answered, in ` +
      `${roundsInFlight} of ${rounds} rounds; ${checksOk} of ${checks} integrity checks ok`
  )
  verdict.end(
    `${rounds} rounds, ${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ` +
      `${total.repeated} creations sent again, ${losses.doubled.size} created twice`
  )
}

await runTrial("kill", { name: "rounds", byDefault: 100 }, trial)
