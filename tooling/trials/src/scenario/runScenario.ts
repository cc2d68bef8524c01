// What trials have in common that do something to servers over one store, round after round.
import { say, type Verdict } from "@headgate/harness/Verdict"
import { withPostgres } from "@headgate/harness/withPostgres"
import { join } from "node:path"
import type { Servers } from "./Servers.ts"

/** Servers that run, and what is done to them. */
export interface Scenario {
  readonly servers: Servers
  /** Does it once, judges what came of it, and returns the figures so far. `number` counts from 1. */
  readonly round: (number: number) => Promise<string>
  /** Judges what is seen when all servers are stopped, and returns the figures of all rounds. */
  readonly end: () => Promise<string>
}

export interface ScenarioOptions {
  readonly name: string
  readonly rounds: number
  readonly verdict: Verdict
  /** Of the files of the trial; with a store over SQLite in its folder `data`. */
  readonly directory: string
  readonly isOverPostgres: boolean
}

/** The store of a scenario over SQLite. */
export const dataOf = (directory: string): string => join(directory, "data")

/** Runs all rounds. `start` takes the flags that name the store. Returns the figures. */
export const runScenario = (
  { directory, isOverPostgres, name, rounds, verdict }: ScenarioOptions,
  start: (store: ReadonlyArray<string>) => Promise<Scenario>
): Promise<string> => {
  const run = async (...store: ReadonlyArray<string>) => {
    const { end, round, servers } = await start(store)
    for (let number = 1; number <= rounds; number++) say(`${name} ${number} of ${rounds}: ${await round(number)}`)
    await servers.close(verdict)
    return await end()
  }
  return isOverPostgres ? withPostgres((url) => run("--database-url", url)) : run("--data", dataOf(directory))
}
