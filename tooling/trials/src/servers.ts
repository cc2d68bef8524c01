// Two servers over one Postgres, one of them killed again and again while both are written to: is all there that either
// acknowledged, does the other go on, and does who is shut out of one stand outside of both?
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Ledger } from "./load/Ledger.ts"
import { Load } from "./load/Load.ts"
import { observeExport, observeServer, pipesOf } from "./load/observe.ts"
import { makeRandom } from "./load/Random.ts"
import { makeWorld, type Organization, snapshotOf } from "./load/World.ts"
import { shutOut } from "./postgres/shutOut.ts"
import { withPostgres } from "./postgres/withPostgres.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { type ServerProcess, startServer } from "./server/ServerProcess.ts"

const writersEach = 8
// The first of them is for the keys and tokens that are shut out, the others are written to.
const organizationsPerRound = 5
// In milliseconds: how long both are written to before the kill, and how long the survivor goes on alone at least.
const shortestLoad = 50
const longestLoad = 600
const alone = 300
const fewestWritesPerRound = 20

const trial = async ({ count: rounds, seed, server: script }: TrialOptions, directory: string, url: string) => {
  const random = makeRandom(seed)
  const world = makeWorld(random, rounds * organizationsPerRound)
  const verdict = new Verdict("servers")
  const all = new Ledger()
  const lost = new Set<string>()
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(world))
  let refusedOnSurvivor = 0
  let writtenAlone = 0
  let unanswered = 0
  let doorsTried = 0

  const check = (
    found: Parameters<Ledger["lost"]>[0],
    ledger: Ledger,
    of: ReadonlyArray<Organization>,
    when: string
  ) => {
    const missing = ledger.lost(found, pipesOf(of))
    for (const one of missing) lost.add(one)
    verdict.none(missing, `lost, ${when}`)
  }

  const store = ["--database-url", url]
  // Failed logins are part of this trial, all from one address.
  const start = (...args: ReadonlyArray<string>) => startServer(script, ...store, "--login-limit", "off", ...args)
  // Both at once on an empty database, as two replicas of one deployment start.
  let pair: readonly [ServerProcess, ServerProcess] = await Promise.all([
    start("--import", snapshot),
    start("--import", snapshot)
  ])

  for (let round = 1; round <= rounds; round++) {
    const [guarded, ...organizations] = world.slice((round - 1) * organizationsPerRound, round * organizationsPerRound)
    if (guarded === undefined) throw new Error("there is no organization")
    const load = (server: ServerProcess, part: number) =>
      new Load({
        server,
        organizations,
        // Numbers of its own: how many a load draws is a matter of speed, and must not move the moments of later kills.
        random: makeRandom(seed + round * pair.length + part),
        writers: writersEach,
        share: { part, parts: pair.length }
      })
    const victimIsFirst = random.next() < 0.5
    const [victim, survivor] = victimIsFirst ? pair : ([pair[1], pair[0]] as const)
    const doomed = load(victim, 0)
    const surviving = load(survivor, 1)
    await sleep(random.between(shortestLoad, longestLoad))
    doomed.serverIsKilled()
    const writtenBefore = surviving.ledger.acknowledged.length
    await victim.kill()
    const [restarted] = await Promise.all([start(), sleep(alone)])
    pair = victimIsFirst ? [restarted, survivor] : [survivor, restarted]
    writtenAlone += surviving.ledger.acknowledged.length - writtenBefore
    verdict.hold(
      surviving.ledger.acknowledged.length > writtenBefore,
      `round ${round}: the survivor acknowledged nothing while the other was gone`
    )
    // The survivor is still written to.
    doorsTried += await shutOut({ script, store, servers: pair, organization: guarded, verdict })
    const ledger = await doomed.stop()
    const survivorLedger = await surviving.stop()
    refusedOnSurvivor += survivorLedger.refused.length
    unanswered += ledger.unanswered
    ledger.add(survivorLedger)
    all.add(ledger)
    for (const [index, server] of pair.entries()) {
      check(
        await observeServer(server.url, organizations, ledger.acknowledged),
        ledger,
        organizations,
        `through server ${index + 1} after round ${round}`
      )
    }
    say(
      `round ${round} of ${rounds}: ${all.acknowledged.length} writes acknowledged, ${lost.size} lost, ` +
        `${refusedOnSurvivor} refused on the survivor`
    )
  }

  const found = await observeExport(script, ...store)
  check(found, all, world, "export at the end")
  const ends = await Promise.all(pair.map(({ stop }) => stop()))
  verdict.hold(
    ends.every(({ code }) => code === 0),
    `the servers, told to stop, ended with ${ends.map(({ code }) => code).join(" and ")}`
  )
  verdict.none(all.refused, "writes that were refused by a server that was not killed")
  for (const kind of ["key", "dashboard", "deletion"] as const) {
    verdict.hold(all.count(kind) > 0, `no ${kind} was ever acknowledged: nothing is proved about it`)
  }
  verdict.hold(
    all.acknowledged.length >= rounds * fewestWritesPerRound,
    `only ${all.acknowledged.length} writes were acknowledged, fewer than ${fewestWritesPerRound} a round`
  )
  say(
    `acknowledged: ${all.count("key")} keys, ${all.count("dashboard")} dashboards, ${all.count("deletion")} deletions, ` +
      `${writtenAlone} of them by a survivor alone; ${unanswered} never answered by the killed; ` +
      `${doorsTried} doors tried with keys and tokens before and after they were shut out`
  )
  verdict.end(
    `${rounds} rounds, ${all.acknowledged.length} writes acknowledged, ${lost.size} lost, ` +
      `${refusedOnSurvivor} refused on the survivor`
  )
}

await runTrial("servers", { name: "rounds", usual: 10 }, (options, directory) =>
  withPostgres((url) => trial(options, directory, url))
)
