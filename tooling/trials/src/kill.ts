// A server on one SQLite database, killed again and again while it is written to: is all there that it acknowledged?
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Ledger } from "./load/Ledger.ts"
import { Load } from "./load/Load.ts"
import { observeExport, observeServer, pipesOf } from "./load/observe.ts"
import { makeRandom } from "./load/Random.ts"
import { copyData, integrityOf } from "./load/SqliteFiles.ts"
import { makeWorld, snapshotOf } from "./load/World.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { startServer } from "./server/ServerProcess.ts"

const writers = 16
// Each round writes to organizations of its own: lists stay short, and the limit of 100 keys is not in the way.
const organizationsPerRound = 4
const roundsBetweenLooks = 10
// From a kill among the very first writes to one after a few hundred, in milliseconds.
const shortestLoad = 20
const longestLoad = 700
// A load that hardly wrote proves hardly anything. Seen here: about a hundred a round and more.
const fewestWritesPerRound = 10

const trial = async ({ count: rounds, seed, server: script }: TrialOptions, directory: string) => {
  const random = makeRandom(seed)
  const world = makeWorld(random, rounds * organizationsPerRound)
  const verdict = new Verdict("kill")
  const all = new Ledger()
  const data = join(directory, "data")
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(world))
  // By name: what one look misses, every later one misses too.
  const lost = new Set<string>()
  let inFlight = 0
  let roundsInFlight = 0
  let checksOk = 0
  let checks = 0

  const check = (found: Parameters<Ledger["lost"]>[0], ledger: Ledger, organizations: typeof world, when: string) => {
    const missing = ledger.lost(found, pipesOf(organizations))
    for (const one of missing) lost.add(one)
    verdict.none(missing, `lost, ${when}`)
  }
  const checkIntegrity = (directoryOfData: string, when: string) => {
    const answer = integrityOf(directoryOfData)
    checks++
    if (answer === "ok") checksOk++
    verdict.hold(answer === "ok", `PRAGMA integrity_check ${when}: ${answer}`)
  }
  const lookAtWhatTheKillLeft = async (round: number) => {
    const copy = join(directory, `copy-${round}`)
    copyData(data, copy)
    checkIntegrity(copy, `after the kill of round ${round}`)
    check(await observeExport(script, "--data", copy), all, world, `export after the kill of round ${round}`)
    rmSync(copy, { recursive: true })
  }

  let server = await startServer(script, "--data", data, "--import", snapshot)
  for (let round = 1; round <= rounds; round++) {
    const organizations = world.slice((round - 1) * organizationsPerRound, round * organizationsPerRound)
    // Numbers of its own: how many a load draws is a matter of speed, and must not move the moments of later kills.
    const load = new Load({ server, organizations, random: makeRandom(seed + round), writers })
    await sleep(random.between(shortestLoad, longestLoad))
    const inFlightNow = load.serverIsKilled()
    await server.kill()
    const ledger = await load.stop()
    all.add(ledger)
    inFlight += inFlightNow
    roundsInFlight += inFlightNow > 0 ? 1 : 0
    if (round % roundsBetweenLooks === 0) await lookAtWhatTheKillLeft(round)
    server = await startServer(script, "--data", data)
    check(
      await observeServer(server.url, organizations, ledger.acknowledged),
      ledger,
      organizations,
      `over HTTP after round ${round}`
    )
    if (round % roundsBetweenLooks === 0 || round === rounds) {
      say(
        `round ${round} of ${rounds}: ${all.acknowledged.length} writes acknowledged, ${lost.size} lost, ` +
          `${inFlight} in flight when killed, ${checksOk} of ${checks} integrity checks ok`
      )
    }
  }
  const { code } = await server.stop()
  verdict.hold(code === 0, `the last server, told to stop, ended with ${code}`)
  checkIntegrity(data, "on the closed database")
  check(await observeExport(script, "--data", data), all, world, "export at the end")

  verdict.none(all.refused, "writes that were refused though the server was not killed yet")
  for (const kind of ["key", "dashboard", "deletion"] as const) {
    verdict.hold(all.count(kind) > 0, `no ${kind} was ever acknowledged: nothing is proved about it`)
  }
  verdict.hold(
    all.acknowledged.length >= rounds * fewestWritesPerRound,
    `only ${all.acknowledged.length} writes were acknowledged, fewer than ${fewestWritesPerRound} a round`
  )
  verdict.hold(roundsInFlight * 2 >= rounds, `only ${roundsInFlight} of ${rounds} kills hit requests in flight`)
  say(
    `acknowledged: ${all.count("key")} keys, ${all.count("dashboard")} dashboards, ${all.count("deletion")} deletions; ` +
      `${inFlight} in flight when killed, ${all.unanswered} of them never answered, in ${roundsInFlight} of ${rounds} ` +
      `rounds; ${checksOk} of ${checks} integrity checks ok`
  )
  verdict.end(`${rounds} rounds, ${all.acknowledged.length} writes acknowledged, ${lost.size} lost`)
}

await runTrial("kill", { name: "rounds", usual: 100 }, trial)
