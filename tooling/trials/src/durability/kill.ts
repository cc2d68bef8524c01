import { startServer } from "@headgate/harness/ServerProcess"
import { cpSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { makeRandom } from "@headgate/harness/Random"
import { dataOf } from "../scenario/runScenario.ts"
import { Servers } from "../scenario/Servers.ts"
import type { Fault } from "./Fault.ts"
import { WriteLoad } from "./WriteLoad.ts"
import { observeExport } from "./observe.ts"

const writers = 16
const injectionsBetweenCopies = 5
// How long a load runs before the kill, in milliseconds.
const shortestLoad = 20
const longestLoad = 700

/** The answer of `PRAGMA integrity_check` for a data directory that no server has open; `ok` if it is whole. */
const integrityOf = (data: string): string => {
  const file = join(data, "headgate.sqlite")
  if (!existsSync(file)) return `${file} does not exist`
  const database = new DatabaseSync(file)
  const rows = database.prepare("PRAGMA integrity_check").all()
  database.close()
  return rows.map((row) => String(row["integrity_check"])).join("; ")
}

/** SIGKILL to the one server on a SQLite database, which is started again on the same data. */
export const kill: Fault = {
  isOverPostgres: false,
  injectionsPerRound: 5,
  organizationsPerInjection: 4,
  fewestWrites: 10,
  start: async ({ directory, losses, random, script, seed, snapshot, store, verdict }) => {
    const data = dataOf(directory)
    const servers = new Servers((...flags) => startServer(script, ...store, ...flags))
    await servers.open(1, "--import", snapshot)
    let inFlight = 0
    let metRequests = 0
    let repeatable = 0
    let checks = 0

    const checkIntegrity = (path: string, when: string) => {
      const answer = integrityOf(path)
      checks++
      verdict.hold(answer === "ok", `PRAGMA integrity_check ${when}: ${answer}`)
    }

    return {
      servers,
      inject: async (organizations, number) => {
        // A load draws as many numbers as it is fast: with a generator of its own it does not shift the moments of later kills.
        const load = new WriteLoad({ url: servers.url, organizations, random: makeRandom(seed + number), writers })
        await sleep(random.between(shortestLoad, longestLoad))
        const inFlightNow = load.serverIsKilled()
        await servers.kill(0)
        const ledger = await load.stop()
        inFlight += inFlightNow
        metRequests += inFlightNow > 0 ? 1 : 0
        repeatable += ledger.repeatable.length
        if (number % injectionsBetweenCopies === 0) {
          // A copy, write-ahead log included, so that the next server still has to do the recovery itself.
          const copy = join(directory, `copy-${number}`)
          cpSync(data, copy, { recursive: true })
          checkIntegrity(copy, `after kill ${number}`)
          losses.check(
            ledger,
            await observeExport(script, "--data", copy),
            organizations,
            `export after kill ${number}`
          )
          rmSync(copy, { recursive: true })
        }
        await servers.startAgain(0)
        return ledger
      },
      end: async () => {
        const { kills } = servers
        checkIntegrity(data, "on the closed database")
        verdict.hold(metRequests * 2 >= kills, `only ${metRequests} of ${kills} kills met requests in flight`)
        verdict.hold(repeatable > 0, "no unanswered creation could be sent again: nothing is proved about it")
        return `${inFlight} in flight at a kill, ${checks} integrity checks`
      }
    }
  }
}
