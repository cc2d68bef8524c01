import { makeRandom } from "@headgate/harness/Random"
import { type ServerProcess, startServer } from "@headgate/harness/ServerProcess"
import { setTimeout as sleep } from "node:timers/promises"
import type { Fault } from "./Fault.ts"
import { WriteLoad } from "./WriteLoad.ts"
import { checkRevocation } from "./checkRevocation.ts"

const writersEach = 8
// In milliseconds: how long both are written to before the kill, and how long the other one then runs alone at least.
const shortestLoad = 50
const longestLoad = 600
const aloneFor = 300

/**
 * SIGKILL to one of two servers over one Postgres. The other one must go on, and both must reject credentials that are revoked
 * under load.
 */
export const killOne: Fault = {
  wantsPostgres: true,
  injectionsPerRound: 1,
  // The first is for the credentials that are revoked, the others are written to.
  organizationsPerInjection: 5,
  fewestWrites: 20,
  start: async ({ random, script, seed, snapshot, store, verdict }) => {
    // The failed logins of this trial all come from one address.
    const start = (...args: ReadonlyArray<string>) => startServer(script, ...store, "--login-limit", "off", ...args)
    // Both at once on an empty database, like two replicas of one deployment.
    let pair: readonly [ServerProcess, ServerProcess] = await Promise.all([
      start("--import", snapshot),
      start("--import", snapshot)
    ])
    let writtenAlone = 0
    let revocationRequests = 0

    return {
      inject: async ([revoked, ...organizations], number) => {
        if (revoked === undefined) throw new Error("there is no organization")
        const load = (server: ServerProcess, part: number) =>
          new WriteLoad({
            url: server.url,
            organizations,
            // A generator of its own, so that its speed does not shift the moments of later kills.
            random: makeRandom(seed + number * pair.length + part),
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
        verdict.hold(alone > 0, `kill ${number}: the other server acknowledged nothing meanwhile`)
        // The other server is still written to.
        revocationRequests += await checkRevocation({ script, store, servers: pair, organization: revoked, verdict })
        const ledger = await victimLoad.stop()
        ledger.add(await survivorLoad.stop())
        return { ledger, servers: pair }
      },
      end: async () => (await Promise.all(pair.map(({ stop }) => stop()))).map(({ code }) => code),
      summary: () =>
        `${writtenAlone} written to the other server alone, ${revocationRequests} requests with credentials before and ` +
        "after they were revoked"
    }
  }
}
