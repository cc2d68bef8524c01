import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cpuMicroseconds, headgateScript, residentMebibytes, type Running, start } from "./Contestant.ts"
import { fillDashboards, fillPipes } from "./fill.ts"
import type { Load } from "./load/Load.ts"
import { median } from "./ratios.ts"
import { bearer, basic, dashboardsPath, pipePath, type Scenario } from "./Scenario.ts"
import { first, snapshot } from "./World.ts"

/** How much CPU time a read of one pipe costs when the store holds so many. */
export interface Growth {
  readonly pipes: number
  readonly cpuPerRequest: number
  /** As a multiple of the smallest store's in the same round. */
  readonly toSmallest: number
}

/** How many pipes are asked for, spread over the whole store: no page of it is the only one that is read. */
const asked = 2000

const readPipes = (pipes: number, ids: ReadonlyArray<string>): Scenario => ({
  name: `GET one of ${pipes} pipes`,
  creates: false,
  method: "GET",
  body: undefined,
  targets: ids.map((id) => ({ path: pipePath(id), authorization: basic(first) })),
  atMost: { fastify: 1 }
})

interface Filled {
  readonly pipes: number
  readonly server: Running
  readonly scenario: Scenario
}

const openStore = async (directory: string): Promise<{ readonly data: string; readonly stop: () => Promise<void> }> => {
  const data = join(directory, "data")
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, "snapshot.json"), snapshot())
  const { stop } = await start(headgateScript, [
    "--port=0",
    "--access-log=off",
    "--data",
    data,
    "--import",
    join(directory, "snapshot.json")
  ])
  return { data, stop }
}

/** SQLite stores of each size side by side, read in rounds, one after the other. */
export const measureGrowth = async (
  directory: string,
  sizes: ReadonlyArray<number>,
  { load, rounds, seconds }: { readonly load: Load; readonly rounds: number; readonly seconds: number }
): Promise<ReadonlyArray<Growth>> => {
  const filled: Array<Filled> = []
  for (const pipes of sizes) {
    const { data, stop } = await openStore(join(directory, `growth-${pipes}`))
    await stop()
    const ids = fillPipes(join(data, "headgate.sqlite"), pipes, asked)
    const server = await start(headgateScript, ["--port=0", "--access-log=off", "--data", data])
    filled.push({ pipes, server, scenario: readPipes(pipes, ids) })
  }
  for (const { scenario, server } of filled) await load({ url: server.url, scenario, seconds: 3, connections: 64 })
  const measured = filled.map((): Array<number> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { scenario, server }] of filled.entries()) {
      const before = cpuMicroseconds(server.pid)
      const { failed, requests } = await load({ url: server.url, scenario, seconds, connections: 64 })
      if (failed > 0) throw new Error(`${failed} reads failed`)
      measured[index]?.push((cpuMicroseconds(server.pid) - before) / requests)
    }
  }
  for (const { pipes, server } of filled) {
    await server.stop()
    rmSync(join(directory, `growth-${pipes}`), { recursive: true, force: true })
  }
  return filled.map(({ pipes }, index) => ({
    pipes,
    cpuPerRequest: median(measured[index] ?? []),
    toSmallest: median((measured[index] ?? []).map((value, round) => value / (measured[0]?.[round] ?? NaN)))
  }))
}

/** What it takes to answer the list of so many dashboards. */
export interface Listing {
  readonly dashboards: number
  readonly mebibytes: number
  readonly milliseconds: number
  /** The most memory that was held while the list was asked for again and again, over what was held before. */
  readonly heldMebibytes: number
}

/** Lists the dashboards of an organization that has very many, `times` over, one after the other. */
export const measureListing = async (directory: string, dashboards: number, times: number): Promise<Listing> => {
  const folder = join(directory, "listing")
  const { data, stop } = await openStore(folder)
  await stop()
  fillDashboards(join(data, "headgate.sqlite"), dashboards)
  const server = await start(headgateScript, ["--port=0", "--access-log=off", "--data", data])
  const before = residentMebibytes(server.pid)
  const taken: Array<number> = []
  let most = 0
  let bytes = 0
  for (let index = 0; index < times; index++) {
    const began = performance.now()
    const response = await fetch(new URL(dashboardsPath, server.url), { headers: { authorization: bearer(first) } })
    bytes = (await response.arrayBuffer()).byteLength
    taken.push(performance.now() - began)
    most = Math.max(most, residentMebibytes(server.pid))
  }
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return { dashboards, mebibytes: bytes / 2 ** 20, milliseconds: median(taken), heldMebibytes: most - before }
}
