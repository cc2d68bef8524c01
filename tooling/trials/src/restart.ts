// Runs two servers over one Postgres behind a load balancer and replaces one after the other under load. Every request
// must be answered, and nothing that was acknowledged may be lost.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { callJson } from "@headgate/harness/JsonClient"
import { makeRandom } from "@headgate/harness/Random"
import { ReverseProxy, serveLocally } from "@headgate/harness/ReverseProxy"
import { type ServerProcess, startServer } from "@headgate/harness/ServerProcess"
import { say, Verdict } from "@headgate/harness/Verdict"
import { withPostgres } from "@headgate/harness/withPostgres"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Ledger, LossCheck, type WrittenOrganization } from "./durability/Ledger.ts"
import { makeOrganizations, readKeptPipe, snapshotOf, WriteLoad } from "./durability/WriteLoad.ts"
import { observeExport, observeServer } from "./durability/observe.ts"

const writers = 8
const readers = 8
const organizationsPerRound = 3
// In milliseconds: how long both serve before one is stopped.
const shortestLoad = 100
const longestLoad = 600
const fewestRequestsPerRestart = 50

/** Clients that read a pipe repeatedly until they are stopped. */
const startReaders = (url: string, organizations: ReadonlyArray<WrittenOrganization>) => {
  const failed: Array<string> = []
  let answered = 0
  const stopped = new AbortController()
  const read = async (organization: WrittenOrganization) => {
    const call = readKeptPipe(organization)
    try {
      const { json, status } = await callJson(url, call)
      if (status === 200 && json?.result?.id === organization.keptPipe) answered++
      else failed.push(`GET ${call.path}: ${status} ${JSON.stringify(json)}`)
    } catch (error) {
      failed.push(`GET ${call.path}: ${String(error)}`)
    }
  }
  const reader = async () => {
    while (!stopped.signal.aborted) for (const organization of organizations) await read(organization)
  }
  const ended = Promise.all(Array.from({ length: readers }, reader))
  return async () => {
    stopped.abort()
    await ended
    return { answered, failed }
  }
}

const trial = async ({ count: rounds, seed, server: script }: TrialOptions, directory: string, url: string) => {
  const random = makeRandom(seed)
  const all = makeOrganizations(random, rounds * organizationsPerRound)
  const verdict = new Verdict("restart")
  const losses = new LossCheck(verdict)
  const total = new Ledger()
  const codes: Array<number | null> = []
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(all))
  let reads = 0
  let inFlight = 0
  let failed = 0

  const store = ["--database-url", url]
  // The balancer reads /readyz ten times a second, and the machine may be slow.
  const start = (...args: ReadonlyArray<string>) => startServer(script, ...store, "--drain-delay", "2s", ...args)
  const proxy = new ReverseProxy()
  const balancer = await serveLocally((request, response) => void proxy.forward(request, response))
  const first = await start("--import", snapshot)
  const pair: [ServerProcess, ServerProcess] = [first, await start()]
  for (const server of pair) await proxy.add(server.url)

  for (let round = 1; round <= rounds; round++) {
    const organizations = all.slice((round - 1) * organizationsPerRound, round * organizationsPerRound)
    const load = new WriteLoad({ url: balancer.url, organizations, random: makeRandom(seed + round), writers })
    const stopReaders = startReaders(balancer.url, organizations)
    for (const index of [0, 1] as const) {
      await sleep(random.between(shortestLoad, longestLoad))
      const old = pair[index]
      inFlight += proxy.inFlight(old.url)
      codes.push((await old.stop()).code)
      proxy.remove(old.url)
      pair[index] = await start()
      await proxy.add(pair[index].url)
    }
    await sleep(shortestLoad)
    const reading = await stopReaders()
    const ledger = await load.stop()
    reads += reading.answered
    failed += reading.failed.length + ledger.failed.length
    verdict.none([...reading.failed, ...ledger.failed], `not answered in round ${round}`)
    total.add(ledger)
    const found = await observeServer(pair[0].url, organizations, ledger.acknowledged)
    losses.check(ledger, found, organizations, `after round ${round}`)
    say(
      `round ${round} of ${rounds}: ${reads} reads and ${total.acknowledged.length} writes answered, ${failed} not, ` +
        `${inFlight} in flight at a SIGTERM`
    )
  }

  verdict.none(proxy.failures, "requests that the balancer got no answer to")
  losses.check(total, await observeExport(script, ...store), all, "export at the end")
  proxy.close()
  await balancer.close()
  codes.push(...(await Promise.all(pair.map(({ stop }) => stop()))).map(({ code }) => code))
  verdict.hold(
    codes.every((code) => code === 0),
    `the servers exited with ${codes.join(", ")} after SIGTERM`
  )
  const restarts = rounds * pair.length
  const answered = reads + total.acknowledged.length
  verdict.hold(inFlight > 0, "no server had a request in flight at its SIGTERM: nothing is proved")
  verdict.hold(
    answered >= restarts * fewestRequestsPerRestart,
    `only ${answered} requests were answered, fewer than ${fewestRequestsPerRestart} a restart`
  )
  verdict.end(
    `${restarts} restarts, ${reads} reads and ${total.acknowledged.length} writes answered, ${failed} not, ` +
      `${inFlight} in flight at a SIGTERM`
  )
}

await runTrial("restart", { name: "rounds", byDefault: 10 }, (options, directory) =>
  withPostgres((url) => trial(options, directory, url))
)
