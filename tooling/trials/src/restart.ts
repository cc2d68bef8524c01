// Two servers over one Postgres behind a load balancer, each in turn told to end and replaced by a new one, under load: is
// every request answered, and is all there that was acknowledged?
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Ledger } from "./load/Ledger.ts"
import { Load } from "./load/Load.ts"
import { observeExport, observeServer, pipesOf } from "./load/observe.ts"
import { makeRandom } from "./load/Random.ts"
import { makeWorld, snapshotOf } from "./load/World.ts"
import { withPostgres } from "./postgres/withPostgres.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { startBalancer } from "./restart/Balancer.ts"
import { Readers } from "./restart/Readers.ts"
import { type ServerProcess, startServer } from "./server/ServerProcess.ts"

const writers = 8
const readers = 8
const organizationsPerRound = 3
// In milliseconds: how long both serve before one is told to end.
const shortestLoad = 100
const longestLoad = 600
const fewestRequestsPerRestart = 50

const trial = async ({ count: rounds, seed, server: script }: TrialOptions, directory: string, url: string) => {
  const random = makeRandom(seed)
  const world = makeWorld(random, rounds * organizationsPerRound)
  const verdict = new Verdict("restart")
  const all = new Ledger()
  const codes: Array<number | null> = []
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(world))
  let reads = 0
  let metInFlight = 0
  let broken = 0

  const store = ["--database-url", url]
  // The balancer asks ten times a second; the machine may be slow.
  const start = (...args: ReadonlyArray<string>) => startServer(script, ...store, "--drain-delay", "2s", ...args)
  const balancer = await startBalancer()
  const first = await start("--import", snapshot)
  const pair: [ServerProcess, ServerProcess] = [first, await start()]
  for (const server of pair) await balancer.add(server.url)

  for (let round = 1; round <= rounds; round++) {
    const organizations = world.slice((round - 1) * organizationsPerRound, round * organizationsPerRound)
    const load = new Load({ server: balancer, organizations, random: makeRandom(seed + round), writers })
    const reading = new Readers(balancer.url, organizations, readers)
    for (const index of [0, 1] as const) {
      await sleep(random.between(shortestLoad, longestLoad))
      const old = pair[index]
      metInFlight += balancer.inFlight(old.url)
      const { code } = await old.stop()
      codes.push(code)
      balancer.remove(old.url)
      pair[index] = await start()
      await balancer.add(pair[index].url)
    }
    await sleep(shortestLoad)
    await reading.stop()
    const ledger = await load.stop()
    reads += reading.answered
    broken += reading.broken.length + ledger.refused.length
    verdict.none([...reading.broken, ...ledger.refused], `not answered in round ${round}`)
    all.add(ledger)
    const found = await observeServer(pair[0].url, organizations, ledger.acknowledged)
    verdict.none(ledger.lost(found, pipesOf(organizations)), `lost after round ${round}`)
    say(
      `round ${round} of ${rounds}: ${reads} reads and ${all.acknowledged.length} writes answered, ${broken} not, ` +
        `${metInFlight} in flight when told to end`
    )
  }

  verdict.none(balancer.failures, "what the balancer got no answer to")
  const found = await observeExport(script, ...store)
  verdict.none(all.lost(found, pipesOf(world)), "lost, export at the end")
  balancer.close()
  codes.push(...(await Promise.all(pair.map(({ stop }) => stop()))).map(({ code }) => code))
  verdict.hold(
    codes.every((code) => code === 0),
    `the servers, told to end, ended with ${codes.join(", ")}`
  )
  const restarts = rounds * pair.length
  verdict.hold(metInFlight > 0, "no server had a request in flight when it was told to end: nothing is proved")
  verdict.hold(
    reads + all.acknowledged.length >= restarts * fewestRequestsPerRestart,
    `only ${reads + all.acknowledged.length} requests were answered, fewer than ${fewestRequestsPerRestart} a restart`
  )
  verdict.end(
    `${restarts} restarts, ${reads} reads and ${all.acknowledged.length} writes answered, ${broken} not, ` +
      `${metInFlight} in flight when their server was told to end`
  )
}

await runTrial("restart", { name: "rounds", usual: 10 }, (options, directory) =>
  withPostgres((url) => trial(options, directory, url))
)
