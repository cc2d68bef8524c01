import { makeRandom } from "@headgate/harness/Random"
import { ReverseProxy, serveLocally } from "@headgate/harness/ReverseProxy"
import { startServer } from "@headgate/harness/ServerProcess"
import { callJson } from "@headgate/harness/JsonClient"
import { setTimeout as sleep } from "node:timers/promises"
import { Servers } from "../scenario/Servers.ts"
import type { Fault } from "./Fault.ts"
import type { WrittenOrganization } from "./Ledger.ts"
import { readKeptPipe, WriteLoad } from "./WriteLoad.ts"

const writers = 8
const readers = 8
// In milliseconds: how long both serve before one is stopped.
const shortestLoad = 100
const longestLoad = 600
const fewestReads = 50

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

/** SIGTERM to one after the other of two servers over one Postgres behind a load balancer: every request is answered. */
export const restart: Fault = {
  isOverPostgres: true,
  injectionsPerRound: 1,
  organizationsPerInjection: 3,
  fewestWrites: 50,
  start: async ({ random, script, seed, snapshot, store, verdict }) => {
    // The balancer reads /readyz ten times a second, and the machine may be slow.
    const servers = new Servers((...flags) => startServer(script, ...store, "--drain-delay", "2s", ...flags))
    const proxy = new ReverseProxy()
    const balancer = await serveLocally((request, response) => void proxy.forward(request, response))
    await servers.open(1, "--import", snapshot)
    await servers.open(1)
    for (const { url } of servers.running) await proxy.add(url)
    let reads = 0
    let inFlight = 0

    return {
      servers,
      inject: async (organizations, number) => {
        const load = new WriteLoad({ url: balancer.url, organizations, random: makeRandom(seed + number), writers })
        const stopReaders = startReaders(balancer.url, organizations)
        for (const index of [0, 1]) {
          await sleep(random.between(shortestLoad, longestLoad))
          const { url } = servers.at(index)
          inFlight += proxy.inFlight(url)
          await servers.stop(index)
          proxy.remove(url)
          await servers.startAgain(index)
          await proxy.add(servers.at(index).url)
        }
        await sleep(shortestLoad)
        const { answered, failed } = await stopReaders()
        reads += answered
        verdict.none(failed, `not answered in restart ${number}`)
        return await load.stop()
      },
      end: async () => {
        verdict.none(proxy.failures, "requests that the balancer got no answer to")
        proxy.close()
        await balancer.close()
        verdict.hold(inFlight > 0, "no server had a request in flight at its SIGTERM: nothing is proved")
        verdict.hold(reads >= fewestReads, `only ${reads} reads were answered, fewer than ${fewestReads}`)
        return `${reads} reads answered, ${inFlight} requests in flight at a SIGTERM`
      }
    }
  }
}
