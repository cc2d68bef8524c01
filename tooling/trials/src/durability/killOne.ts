import { makeRandom } from "@headgate/harness/Random"
import { startServer } from "@headgate/harness/ServerProcess"
import { setTimeout as sleep } from "node:timers/promises"
import { Servers } from "../scenario/Servers.ts"
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
  isOverPostgres: true,
  injectionsPerRound: 1,
  // The first is for the credentials that are revoked, the others are written to.
  organizationsPerInjection: 5,
  fewestWrites: 20,
  start: async ({ random, script, seed, snapshot, store, verdict }) => {
    // The failed logins of this trial all come from one address.
    const servers = new Servers((...flags) => startServer(script, ...store, "--login-limit", "off", ...flags))
    // Both at once on an empty database, like two replicas of one deployment.
    await servers.open(2, "--import", snapshot)
    let writtenAlone = 0
    let revocationRequests = 0

    return {
      servers,
      inject: async ([revoked, ...organizations], number) => {
        if (revoked === undefined) throw new Error("there is no organization")
        const load = (index: number, part: number) =>
          new WriteLoad({
            url: servers.at(index).url,
            organizations,
            // A generator of its own, so that its speed does not shift the moments of later kills.
            random: makeRandom(seed + number * 2 + part),
            writers: writersEach,
            part,
            parts: 2
          })
        const victim = random.next() < 0.5 ? 0 : 1
        const [victimLoad, survivorLoad] = [load(victim, 0), load(1 - victim, 1)]
        await sleep(random.between(shortestLoad, longestLoad))
        victimLoad.serverIsKilled()
        const before = survivorLoad.ledger.acknowledged.length
        await servers.kill(victim)
        await Promise.all([servers.startAgain(victim), sleep(aloneFor)])
        const alone = survivorLoad.ledger.acknowledged.length - before
        writtenAlone += alone
        verdict.hold(alone > 0, `kill ${number}: the other server acknowledged nothing meanwhile`)
        // The other server is still written to.
        revocationRequests += await checkRevocation({
          script,
          store,
          servers,
          organization: revoked,
          verdict
        })
        const ledger = await victimLoad.stop()
        ledger.add(await survivorLoad.stop())
        return ledger
      },
      end: async () =>
        `${writtenAlone} written to the other server alone, ${revocationRequests} requests with credentials before and ` +
        "after they were revoked"
    }
  }
}
