// Runs two servers over one Postgres and kills one of them again and again while both are written to. Nothing that either
// acknowledged may be lost, the other must keep working, and revoked credentials must be rejected by both.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { type ServerProcess, startServer } from "@headgate/harness/ServerProcess"
import { say, Verdict } from "@headgate/harness/Verdict"
import { withPostgres } from "@headgate/harness/withPostgres"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Ledger, LossCheck } from "./durability/Ledger.ts"
import { makeOrganizations, repeatCreations, snapshotOf, WriteLoad } from "./durability/WriteLoad.ts"
import { checkRevocation } from "./durability/checkRevocation.ts"
import { observeExport, observeServer } from "./durability/observe.ts"

const writersEach = 8
// The first is for the credentials that are revoked, the others are written to.
const organizationsPerRound = 5
// In milliseconds: how long both are written to before the kill, and how long the other one then runs alone at least.
const shortestLoad = 50
const longestLoad = 600
const aloneFor = 300
const fewestWritesPerRound = 20

const trial = async ({ count: rounds, seed, server: script }: TrialOptions, directory: string, url: string) => {
  const random = makeRandom(seed)
  const all = makeOrganizations(random, rounds * organizationsPerRound)
  const verdict = new Verdict("servers")
  const losses = new LossCheck(verdict)
  const total = new Ledger()
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(all))
  let failedOnSurvivor = 0
  let writtenAlone = 0
  let revocationRequests = 0

  const store = ["--database-url", url]
  // The failed logins of this trial all come from one address.
  const start = (...args: ReadonlyArray<string>) => startServer(script, ...store, "--login-limit", "off", ...args)
  // Both at once on an empty database, like two replicas of one deployment.
  let pair: readonly [ServerProcess, ServerProcess] = await Promise.all([
    start("--import", snapshot),
    start("--import", snapshot)
  ])

  for (let round = 1; round <= rounds; round++) {
    const [revoked, ...organizations] = all.slice((round - 1) * organizationsPerRound, round * organizationsPerRound)
    if (revoked === undefined) throw new Error("there is no organization")
    const load = (server: ServerProcess, part: number) =>
      new WriteLoad({
        url: server.url,
        organizations,
        // A generator of its own, so that its speed does not shift the moments of later kills.
        random: makeRandom(seed + round * pair.length + part),
        writers: writersEach,
        part,
        parts: pair.length
      })
    const isFirstKilled = random.next() < 0.5
    const [victim, survivor] = isFirstKilled ? pair : ([pair[1], pair[0]] as const)
    const [victimLoad, survivorLoad] = [load(victim, 0), load(survivor, 1)]
    await sleep(random.between(shortestLoad, longestLoad))
    victimLoad.serverIsKilled()
    const before = survivorLoad.ledger.acknowledged.length
    await victim.kill()
    const [restarted] = await Promise.all([start(), sleep(aloneFor)])
    pair = isFirstKilled ? [restarted, survivor] : [survivor, restarted]
    const alone = survivorLoad.ledger.acknowledged.length - before
    writtenAlone += alone
    verdict.hold(alone > 0, `round ${round}: the survivor acknowledged nothing while the other server was gone`)
    // The survivor is still written to.
    revocationRequests += await checkRevocation({ script, store, servers: pair, organization: revoked, verdict })
    const ledger = await victimLoad.stop()
    const survivorLedger = await survivorLoad.stop()
    failedOnSurvivor += survivorLedger.failed.length
    ledger.add(survivorLedger)
    ledger.add(await repeatCreations(survivor.url, ledger.repeatable))
    total.add(ledger)
    for (const [index, server] of pair.entries()) {
      const found = await observeServer(server.url, organizations, ledger.acknowledged)
      losses.check(ledger, found, organizations, `through server ${index + 1} after round ${round}`)
    }
    say(
      `round ${round} of ${rounds}: ${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ` +
        `${failedOnSurvivor} failed on the survivor`
    )
  }

  losses.check(total, await observeExport(script, ...store), all, "export at the end")
  const codes = (await Promise.all(pair.map(({ stop }) => stop()))).map(({ code }) => code)
  verdict.hold(
    codes.every((code) => code === 0),
    `the servers exited with ${codes.join(" and ")} after SIGTERM`
  )
  total.judge(verdict, rounds * fewestWritesPerRound)
  say(
    `acknowledged: ${total.summary()}, ${writtenAlone} of them by a survivor alone; ${total.unanswered} not answered by ` +
      `a killed server; ${revocationRequests} requests with credentials before and after they were revoked`
  )
  verdict.end(
    `${rounds} rounds, ${total.acknowledged.length} writes acknowledged, ${losses.lost.size} lost, ` +
      `${failedOnSurvivor} failed on the survivor, ${total.repeated} creations sent again, ` +
      `${losses.doubled.size} created twice`
  )
}

await runTrial("servers", { name: "rounds", byDefault: 10 }, (options, directory) =>
  withPostgres((url) => trial(options, directory, url))
)
