import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { headgateScript, start } from "./Contestant.ts"
import type { Load } from "./load/Load.ts"
import { median } from "./ratios.ts"
import { getPipe } from "./Scenario.ts"
import { snapshot } from "./World.ts"

/** What one process and two answer, in requests a second. */
export interface Workers {
  readonly one: number
  readonly two: number
  /** The median of the ratios within a round. */
  readonly ratio: number
}

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
  const answered = servers.map((): Array<number> => [])
  for (const { url } of servers) await load({ url, scenario: getPipe, seconds: 3, connections: 64 })
  for (let round = 0; round < rounds; round++) {
    for (const [index, { url }] of servers.entries()) {
      const { requests, seconds: took } = await load({ url, scenario: getPipe, seconds, connections: 64 })
      answered[index]?.push(requests / took)
    }
  }
  for (const { stop } of servers) await stop()
  const [one = [], two = []] = answered
  return { one: median(one), two: median(two), ratio: median(two.map((value, index) => value / (one[index] ?? NaN))) }
}
