import type { ServerProcess } from "@headgate/harness/ServerProcess"
import { cpuMicroseconds } from "@headgate/harness/processUsage"
import { type Round, runRounds } from "@headgate/harness/rounds"
import type { Contestant } from "./Contestant.ts"
import { load } from "./load.ts"
import type { Scenario } from "./scenarios.ts"

/** What a contestant measured in a round. */
export interface Measured {
  /** CPU time of the server for a request, in microseconds. */
  readonly cpuPerRequest: number
  readonly requestsPerSecond: number
  readonly p99Milliseconds: number
  /** How many cores the server used on average. */
  readonly cores: number
}

const measure = async ({ pid, url }: ServerProcess, scenario: Scenario, seconds: number): Promise<Measured> => {
  const before = cpuMicroseconds(pid)
  const { failed, p99Milliseconds, requests, seconds: took } = await load(url, scenario, seconds)
  const used = cpuMicroseconds(pid) - before
  if (failed > 0) throw new Error(`${scenario.name}: ${failed} of ${requests} requests failed`)
  return {
    cpuPerRequest: used / requests,
    requestsPerSecond: requests / took,
    p99Milliseconds,
    cores: used / took / 1e6
  }
}

// V8 compiles more of the server until about 20,000 requests. A store that waits for the disk never gets that far.
const warmUpRequests = 30_000

const warmUp = async (url: string, scenario: Scenario, seconds: number): Promise<void> => {
  let requests = 0
  for (let second = 0; second < seconds && requests < warmUpRequests; second++) {
    requests += (await load(url, scenario, 1)).requests
  }
}

export interface MeasureOptions {
  readonly directory: string
  readonly isLogging?: boolean
  readonly rounds: number
  /** How long a contestant is under load in a round. */
  readonly seconds: number
  /** How long it is under load before the first one, at most: less if it has answered enough requests before. */
  readonly warmUpSeconds: number
}

/**
 * Measures contestants in interleaved rounds. A contestant of a scenario that creates (POST) is started anew for each round,
 * so that every round begins with the same store; the others keep running.
 */
export const compare = async (
  contestants: ReadonlyArray<Contestant>,
  scenario: Scenario,
  { directory, isLogging = false, rounds, seconds, warmUpSeconds }: MeasureOptions
): Promise<ReadonlyArray<Round<Measured>>> => {
  const kept = new Map<string, ServerProcess>()
  const measured = await runRounds(contestants, rounds, async ({ name, start }) => {
    let server = kept.get(name)
    if (server === undefined) {
      server = await start({ directory, isLogging })
      await warmUp(server.url, scenario, warmUpSeconds)
    }
    const result = await measure(server, scenario, seconds)
    if (scenario.method === "POST") await server.stop()
    else kept.set(name, server)
    return result
  })
  await Promise.all(Array.from(kept.values(), ({ stop }) => stop()))
  return measured
}

export const cpu = ({ cpuPerRequest }: Measured): number => cpuPerRequest
export const throughput = ({ requestsPerSecond }: Measured): number => requestsPerSecond
