import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Contestant, cpuMicroseconds, type Running, start } from "./Contestant.ts"
import type { Load } from "./load/Load.ts"
import type { Scenario } from "./Scenario.ts"
import { snapshot } from "./World.ts"

/** What one contestant did in one round. */
export interface Measured {
  readonly cpuPerRequest: number
  readonly requestsPerSecond: number
  readonly p99: number
}

/** A round: what each contestant did in it, by name. */
export type Round = ReadonlyMap<string, Measured>

export interface RoundsOptions {
  readonly directory: string
  readonly load: Load
  readonly logging: boolean
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** Starts a contestant over the world, in a fresh directory of its own. */
export const startContestant = async (
  contestant: Contestant,
  { directory, logging }: Pick<RoundsOptions, "directory" | "logging">
): Promise<Running> => {
  const own = mkdtempSync(join(directory, "contestant-"))
  if (contestant.isHeadgate) {
    mkdirSync(join(own, "data"))
    writeFileSync(join(own, "snapshot.json"), snapshot())
  }
  const running = await start(contestant.script, contestant.args({ logging, directory: own }))
  return {
    ...running,
    stop: async () => {
      await running.stop()
      rmSync(own, { recursive: true, force: true })
    }
  }
}

const measure = async ({ pid, url }: Running, scenario: Scenario, options: RoundsOptions): Promise<Measured> => {
  const { connections, load, seconds } = options
  const before = cpuMicroseconds(pid)
  const answered = await load({ url, scenario, seconds, connections })
  const used = cpuMicroseconds(pid) - before
  if (answered.failed > 0) throw new Error(`${scenario.name}: ${answered.failed} of ${answered.requests} failed`)
  return {
    cpuPerRequest: used / answered.requests,
    requestsPerSecond: answered.requests / answered.seconds,
    p99: answered.p99Milliseconds
  }
}

// So many that V8 has compiled what is called for each: on a busy machine a second has few. A store that waits for the
// disk at each write never gets there.
const warmUpRequests = 30_000
const warmUpAtMostSeconds = 12

/** Lets the compiler of the server see the requests before they count. */
const warmUp = async ({ url }: Running, scenario: Scenario, { connections, load }: RoundsOptions) => {
  let requests = 0
  for (let second = 0; second < warmUpAtMostSeconds && requests < warmUpRequests; second++) {
    requests += (await load({ url, scenario, seconds: 1, connections })).requests
  }
}

/**
 * A scenario, in rounds: in each, every contestant is measured once, one after the other, so that whatever else the
 * machine does meets them alike. Servers stay up between rounds unless the scenario creates.
 */
export const runRounds = async (
  scenario: Scenario,
  contestants: ReadonlyArray<Contestant>,
  options: RoundsOptions
): Promise<ReadonlyArray<Round>> => {
  const kept = new Map<string, Running>()
  const ready = async (contestant: Contestant): Promise<Running> => {
    const held = kept.get(contestant.name)
    if (held !== undefined) return held
    const running = await startContestant(contestant, options)
    await warmUp(running, scenario, options)
    if (!scenario.creates) kept.set(contestant.name, running)
    return running
  }
  const rounds: Array<Round> = []
  for (let index = 0; index < options.rounds; index++) {
    const round = new Map<string, Measured>()
    for (const contestant of contestants) {
      const running = await ready(contestant)
      round.set(contestant.name, await measure(running, scenario, options))
      if (scenario.creates) await running.stop()
    }
    rounds.push(round)
  }
  for (const running of kept.values()) await running.stop()
  return rounds
}
