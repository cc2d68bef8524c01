import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cpuMicroseconds, headgateScript, start } from "./Contestant.ts"
import type { Load } from "./load/Load.ts"
import { median } from "./ratios.ts"
import { getPipe } from "./Scenario.ts"
import { snapshot } from "./World.ts"

/** What so many processes made of a round. */
interface Share {
  readonly requestsPerSecond: number
  /** CPU time of a request, of all its processes, in microseconds. */
  readonly cpuPerRequest: number
  /** How many cores they had, on the average. */
  readonly cores: number
}

/** What one process and two answer: medians. */
export interface Workers {
  readonly one: Share
  readonly two: Share
  /** The median of the ratios of requests a second within a round. */
  readonly ratio: number
  /** The same of the CPU time of a request: what a second worker takes from the first. */
  readonly cpuRatio: number
}

/** Of a process and those that it started. */
const cpuWithChildren = (pid: number): number =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "")
    .reduce((sum, child) => sum + cpuMicroseconds(Number(child)), cpuMicroseconds(pid))

const medianOf = (shares: ReadonlyArray<Share>): Share => ({
  requestsPerSecond: median(shares.map(({ requestsPerSecond }) => requestsPerSecond)),
  cpuPerRequest: median(shares.map(({ cpuPerRequest }) => cpuPerRequest)),
  cores: median(shares.map(({ cores }) => cores))
})

const medianRatio = (of: ReadonlyArray<number>, to: ReadonlyArray<number>): number =>
  median(of.map((value, index) => value / (to[index] ?? NaN)))

/** One worker and two over the same kind of store, in rounds, one after the other; the load takes of the same cores. */
export const measureWorkers = async (
  directory: string,
  { load, rounds, seconds }: { readonly load: Load; readonly rounds: number; readonly seconds: number }
): Promise<Workers> => {
  const serverOf = async (workers: number) => {
    const folder = join(directory, `workers-${workers}`)
    mkdirSync(folder)
    writeFileSync(join(folder, "snapshot.json"), snapshot())
    return start(headgateScript, [
      "--port=0",
      "--access-log=off",
      `--workers=${workers}`,
      `--data=${join(folder, "data")}`,
      `--import=${join(folder, "snapshot.json")}`
    ])
  }
  const servers = [await serverOf(1), await serverOf(2)]
  const shares = servers.map((): Array<Share> => [])
  for (const { url } of servers) await load({ url, scenario: getPipe, seconds: 3, connections: 64 })
  for (let round = 0; round < rounds; round++) {
    for (const [index, { pid, url }] of servers.entries()) {
      const before = cpuWithChildren(pid)
      const { requests, seconds: took } = await load({ url, scenario: getPipe, seconds, connections: 64 })
      const used = cpuWithChildren(pid) - before
      shares[index]?.push({
        requestsPerSecond: requests / took,
        cpuPerRequest: used / requests,
        cores: used / took / 1e6
      })
    }
  }
  for (const { stop } of servers) await stop()
  const [one = [], two = []] = shares
  const ratioOf = (read: (share: Share) => number) => medianRatio(two.map(read), one.map(read))
  return {
    one: medianOf(one),
    two: medianOf(two),
    ratio: ratioOf(({ requestsPerSecond }) => requestsPerSecond),
    cpuRatio: ratioOf(({ cpuPerRequest }) => cpuPerRequest)
  }
}
